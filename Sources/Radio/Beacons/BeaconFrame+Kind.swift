extension BeaconFrame {
    /// The beacon formats, by the names in their specifications.
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        case iBeacon = "iBeacon"
        case altBeacon = "AltBeacon"
        case eddystoneUID = "Eddystone-UID"

        /// Parses a name, ignoring case.
        public init?(_ text: some StringProtocol) {
            guard let kind = Self.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else {
                return nil
            }
            self = kind
        }
    }

    /// The format of this beacon.
    public var kind: Kind {
        switch self {
        case .iBeacon: .iBeacon
        case .altBeacon: .altBeacon
        case .eddystoneUID: .eddystoneUID
        }
    }

    /// The beacon's identity, if its format has a UUID, major and minor.
    public var identity: BeaconIdentity? {
        switch self {
        case .iBeacon(let beacon): beacon.identity
        case .altBeacon(let beacon): beacon.identity
        case .eddystoneUID: nil
        }
    }
}
