public import RegistryAPI

/// The data source of displays that a monitor serves: the monitor.
public protocol DisplaySource: Sendable {
    /// What a display shows now.
    func view(_ terms: DisplayTerms) async throws -> DisplayView
    /// Whether missing bikes would be noticed here now.
    func health() async -> StationHealth
    /// Records the answer of staff; false if there is no alarm for this visit.
    func answer(_ visit: VisitID, _ answer: VisitConfirmation.Answer) async throws -> Bool
}

/// The displays that a monitor serves itself, as the venue manages them.
public protocol DisplayDesk: Sendable {
    /// Makes a code for one screen. It replaces an unused one.
    func add(name: String?) async throws(DisplayRefusal) -> DisplayCode
    /// The displays that have been paired.
    func displays() async -> [VenueDisplay]
    /// Ends a display.
    ///
    /// - Returns: whether there was a display with this identifier.
    func revoke(_ id: DisplayID) async throws(DisplayRefusal) -> Bool
}

/// The reason why no display can be added.
public enum DisplayRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The registry's operator does not allow it, as far as the monitor knows.
    case notAllowed
    /// The monitor does not listen at its address, for this reason.
    case notServed(String)
    /// There are as many displays as there may be.
    case full
    /// The name is empty, too long, or has control characters.
    case invalidName
    /// A display has ended, but the file of displays could not be written.
    case notSaved

    public var description: String {
        switch self {
        case .notAllowed:
            """
            The registry does not allow this monitor to serve displays. Ask its operator to set displays.onVenueNetwork. \
            The monitor then learns it within five minutes, or when it is restarted.
            """
        case .notServed(let reason):
            """
            Displays are not served (\(reason)): set display.listen to an address that ‘hostname -I’ shows, and restart the \
            monitor.
            """
        case .full:
            "This monitor has \(DisplayRules.most) displays, which ‘venue display list --here’ shows: revoke one first."
        case .notSaved:
            """
            The display no longer shows anything, but this could not be stored, so it works again after a restart. \
            Make room on the disk, and revoke it again.
            """
        case .invalidName: "The name must have 1 to 64 characters."
        }
    }
}
