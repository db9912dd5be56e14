public import RegistryAPI

/// The data source of displays that a monitor serves: the monitor.
public protocol DisplaySource: Sendable {
    /// What a display shows now.
    func view(_ terms: DisplayTerms) async throws -> DisplayView
    /// Records the answer of staff; false if there is no alarm for this visit.
    func answer(_ visit: VisitID, _ answer: VisitConfirmation.Answer) async throws -> Bool
}

/// The displays that a monitor serves itself, as the venue manages them.
public protocol DisplayDesk: Sendable {
    /// Makes a code for one screen. It replaces one that nobody has used.
    func add(name: String?) async throws(DisplayRefusal) -> DisplayCode
    func displays() async -> [VenueDisplay]
    /// - Returns: whether there was a display with this identifier.
    func revoke(_ id: DisplayID) async -> Bool
}

/// The reason why no display can be added.
public enum DisplayRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The registry's operator does not allow it, as far as the monitor knows.
    case notAllowed
    case full
    case invalidName

    public var description: String {
        switch self {
        case .notAllowed:
            "The registry’s operator does not allow displays of this monitor, or the monitor has not reached the registry yet."
        case .full: "This monitor has \(DisplayRules.most) displays: revoke one first."
        case .invalidName: "The name must have 1 to 64 characters."
        }
    }
}
