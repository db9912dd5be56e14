/// The policy for who may become an owner.
public enum OwnerRegistration: String, CaseIterable, Hashable, Sendable {
    /// Anybody.
    case open
    /// Anybody with an operator's invitation.
    case invited
}
