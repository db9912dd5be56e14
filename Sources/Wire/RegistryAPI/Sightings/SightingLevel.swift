/// The level of confidence of a sighting. No level rules out a clone: a beacon's identity can be copied.
public enum SightingLevel: String, Codable, CaseIterable, Hashable, Sendable {
    /// Reported by one station only.
    case possible
    /// Two stations of different venues agree, a person at the venue saw the described bike, or the beacon proved itself.
    case corroborated
    /// Contradicted by some evidence.
    case disputed
}

/// A reason for a sighting's level. Databases store the order: add new reasons at the end.
public enum SightingReason: String, Codable, CaseIterable, Hashable, Sendable {
    /// A station of another venue heard the beacon at a consistent time and place.
    case otherVenue
    /// A person at the venue saw the described bike.
    case seenAtVenue
    /// Another station heard the beacon so far away that it would have moved at over 250 km/h.
    case tooFast
    /// The beacon moved between several stations faster than traffic can.
    case tooManyHops
    /// The station is located at one place and reports another.
    case otherPlace
    /// The station reported a large part of all missing bikes within an hour.
    case reportsEverything
    /// A person at the venue looked for the described bike and did not see it.
    case notSeenAtVenue
    /// The operator distrusts the station's reports from that time.
    case quarantined
    /// The reporter is unknown: the sighting came from the original app.
    case unverified
    /// The beacon sent what only it can send at that time: it rotates, and the time agrees with its clock.
    case beaconProved
    /// The frame is older than one that the beacon had already sent: it was recorded and repeated.
    case replayed

    /// Whether it supports or contradicts the sighting; nil for neither.
    public var supports: Bool? {
        switch self {
        case .otherVenue, .seenAtVenue, .beaconProved: true
        case .tooFast, .tooManyHops, .otherPlace, .reportsEverything, .notSeenAtVenue, .quarantined, .replayed:
            false
        case .unverified: nil
        }
    }
}
