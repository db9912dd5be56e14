/// Who may become an owner.
public enum OwnerRegistration: String, CaseIterable, Hashable, Sendable {
    case open
    /// Whoever has an operator's invitation.
    case invited
}
