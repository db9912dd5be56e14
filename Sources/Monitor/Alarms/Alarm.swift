public import RegistryAPI

/// An alarm for the venue's staff, once a stay: a missing bike is here, and this is what it looks like.
///
/// It knows nothing of the bike's owner but what the owner lets staff see.
public struct Alarm: Hashable, Sendable {
    /// The visit as the station keeps it, as it was when this was read.
    public let kept: StationVisit
    public let lookFor: BikeAppearance
    /// Whether the bike's beacon is still heard.
    public let isPresent: Bool
    /// What someone at the venue has said.
    public let answer: VisitConfirmation.Answer?

    public var id: VisitID { kept.visit.id }

    /// One line: `red/black Honda CB500X (motorbike)`.
    public var appearance: String { lookFor.text }
}

extension BikeAppearance {
    /// One line: `red/black Honda CB500X (motorbike)`.
    var text: String { "\(colours.map(\.rawValue).joined(separator: "/")) \(make) \(model) (\(kind.rawValue))" }
}

/// What staff are to do; the same for every alarm of a venue.
public struct AlarmAdvice: Hashable, Sendable {
    /// Whom to call; nil where the venue has not said.
    public let contact: String?

    public init(contact: String? = nil) {
        self.contact = contact
    }

    public var text: String {
        let call = contact.map { "Call: \($0)." } ?? "If in doubt, call the police."
        return "It may be the rightful owner. Do not confront anyone. \(call)"
    }
}
