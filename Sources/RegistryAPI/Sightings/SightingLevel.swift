/// How sure a sighting is. None excludes a clone: a beacon's identity can be copied.
public enum SightingLevel: String, Codable, CaseIterable, Hashable, Sendable {
    /// One station says so.
    case possible
    /// Two stations of different venues agree, or a person at the venue saw the described bike.
    case corroborated
    /// Something speaks against it.
    case disputed
}

/// What a sighting's level rests on. The order stands in databases: new reasons come last.
public enum SightingReason: String, Codable, CaseIterable, Hashable, Sendable {
    /// A station of another venue heard the beacon at a time and place that fit.
    case otherVenue
    /// A person at the venue saw the described bike.
    case seenAtVenue
    /// Another station heard the beacon so far away that it would have moved at over 250 km/h.
    case tooFast
    /// Over several stations in turn the beacon moved faster than traffic can.
    case tooManyHops
    /// The station stands at one place and says another.
    case otherPlace
    /// The station reported a large part of all missing bikes within an hour.
    case reportsEverything
    /// A person at the venue looked for the described bike and did not see it.
    case notSeenAtVenue
    /// The operator does not trust what the station told at that time.
    case quarantined
    /// Nobody knows who told it: it came through the original app.
    case unverified

    /// Whether it speaks for or against the sighting; nil where it does neither.
    public var supports: Bool? {
        switch self {
        case .otherVenue, .seenAtVenue: true
        case .tooFast, .tooManyHops, .otherPlace, .reportsEverything, .notSeenAtVenue, .quarantined: false
        case .unverified: nil
        }
    }
}
