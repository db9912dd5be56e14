import RegistryAPI

/// What a search rests on.
public enum SearchBasis: Hashable, Sendable {
    /// The owner's word alone.
    case word
    /// A police reference that no operator has confirmed: it may be any text.
    case reference
    /// A police reference that an operator has confirmed.
    case confirmation

    public init(policeReference: String?, isConfirmed: Bool) {
        guard MissingReport.isReference(policeReference) else {
            self = .word
            return
        }
        self = isConfirmed ? .confirmation : .reference
    }
}

/// How long a beacon has been searched for on each basis, over all its reports and whoever opened them.
///
/// It is counted for the beacon: closing a report and opening another, handing the bike over or erasing it gives no new
/// days. A confirmed reference gives them back.
public struct SearchDays: Hashable, Sendable {
    public var onWord: Duration
    public var onReference: Duration

    public init(onWord: Duration = .zero, onReference: Duration = .zero) {
        self.onWord = onWord
        self.onReference = onReference
    }

    /// How much longer the beacon may be searched for; nil for as long as the report is open.
    public func left(on basis: SearchBasis) -> Duration? {
        switch basis {
        case .word: max(.zero, MissingReport.sightingsWithoutReference - onWord)
        case .reference: max(.zero, MissingReport.sightingsWithoutConfirmation - onReference)
        case .confirmation: nil
        }
    }
}
