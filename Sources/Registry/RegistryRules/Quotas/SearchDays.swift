import RegistryAPI

/// The time for which a beacon has been searched for on each basis, over all its reports, regardless of who opened
/// them.
///
/// The time is counted for the beacon: closing a report and opening another, or transferring or erasing the bike,
/// gives no new days. A confirmed reference resets them.
public struct SearchDays: Hashable, Sendable {
    /// Searched on the owner's word alone.
    public var onWord: Duration
    /// Searched on a reference that no operator had confirmed.
    public var onReference: Duration

    public init(onWord: Duration = .zero, onReference: Duration = .zero) {
        self.onWord = onWord
        self.onReference = onReference
    }

    /// The remaining time of the search; nil if it lasts as long as the report is open.
    ///
    /// - Parameter isNew: whether the beacon was new when the report was opened (``MissingReport/newBeacon``).
    public func left(on basis: SearchBasis, isNew: Bool = false) -> Duration? {
        switch basis {
        case .confirmation: nil
        case .word where isNew, .reference where isNew:
            max(.zero, MissingReport.sightingsOfNewBeacon - onWord - onReference)
        case .word: max(.zero, MissingReport.sightingsWithoutReference - onWord)
        case .reference: max(.zero, MissingReport.sightingsWithoutConfirmation - onReference)
        }
    }
}

/// What a search rests on, which decides how long it lasts.
public enum SearchBasis: Hashable, Sendable {
    /// Only the owner's word.
    case word
    /// A police reference that no operator has confirmed; it can be any text.
    case reference
    /// A police reference that an operator has confirmed.
    case confirmation

    /// - Parameter policeReference: the owner's text; one that cannot be a reference counts as none.
    public init(policeReference: String?, isConfirmed: Bool) {
        guard MissingReport.isReference(policeReference) else {
            self = .word
            return
        }
        self = isConfirmed ? .confirmation : .reference
    }
}
