public import RegistryAPI

/// An alarm for the venue's staff, raised once per stay: a missing bike is present, and this is its appearance.
///
/// It contains only what the bike's owner lets staff see.
public struct Alarm: Hashable, Sendable {
    /// The visit as stored by the station when this alarm was read.
    public let kept: StationVisit
    /// What the bike looks like.
    public let lookFor: BikeAppearance
    /// Whether the bike's beacon is still heard.
    public let isPresent: Bool
    /// The answer from someone at the venue, with its time; nil if nobody has answered.
    public let confirmation: VisitConfirmation?

    /// The answer without its time; nil if nobody has answered.
    public var answer: VisitConfirmation.Answer? { confirmation?.answer }
    /// The visit that raised the alarm.
    public var id: VisitID { kept.visit.id }

    /// One line: `red/black Honda CB500X (motorbike)`.
    public var appearance: String { lookFor.text }
}

extension BikeAppearance {
    /// One line: `red/black Honda CB500X (motorbike)`.
    var text: String { "\(colours.map(\.rawValue).joined(separator: "/")) \(make) \(model) (\(kind.rawValue))" }
}

/// The advice to staff; the same for every alarm of a venue.
public struct AlarmAdvice: Hashable, Sendable {
    /// The contact to call; nil if the venue has not set one.
    public let contact: String?

    public init(contact: String? = nil) {
        self.contact = contact
    }

    /// The advice as one line.
    public var text: String {
        let call = contact.map { "Call: \($0)." } ?? "If in doubt, call the police."
        return "It may be the rightful owner. Do not confront anyone. \(call)"
    }
}
