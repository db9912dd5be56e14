public import Beacons

/// The allocation of identities inside the network region: a random major and minor that have never been issued.
///
/// All registries allocate in the same region, and partners search for each other's bikes. If each began with the first
/// major, two registries with 1,000 bikes each would share about 15 identities, and a visit of one bike would also become
/// a sighting of the other. Among 4.3 billion identities, two registries with 65,000 bikes each share one.
public struct IdentityAllocation: Sendable {
    /// The proximity UUID of all identities.
    public let region: ProximityUUID
    public let majors: ClosedRange<UInt16>
    public let minors: ClosedRange<UInt16>

    /// The default ranges are those of the network; tests use smaller ones.
    public init(
        region: ProximityUUID = NetworkRegion.uuid,
        majors: ClosedRange<UInt16> = 1...UInt16.max,
        minors: ClosedRange<UInt16> = 100...UInt16.max
    ) {
        self.region = region
        self.majors = majors
        self.minors = minors
    }

    /// The number of random identities to try before listing the free ones: below 80 % use, one in 35 allocations needs
    /// the list.
    private static let probes = 16

    /// An identity that has never been issued; nil if the region is exhausted.
    ///
    /// - Parameters:
    ///   - isIssued: returns whether an identity is in use or was ever retired.
    ///   - issuedMinors: returns all minors issued under a major, in any order.
    public func next(
        isIssued: (BeaconIdentity) throws -> Bool,
        issuedMinors: (UInt16) throws -> [UInt16],
        using generator: inout some RandomNumberGenerator
    ) throws -> BeaconIdentity? {
        for _ in 0..<Self.probes {
            let major = UInt16.random(in: majors, using: &generator)
            let minor = UInt16.random(in: minors, using: &generator)
            let identity = BeaconIdentity(uuid: region, major: major, minor: minor)
            if try !isIssued(identity) { return identity }
        }
        let middle = UInt16.random(in: majors, using: &generator)
        for major in [middle...majors.upperBound, majors.lowerBound...middle].joined() {
            let free = Self.free(in: minors, issued: try issuedMinors(major))
            if let minor = free.randomElement(using: &generator) {
                return BeaconIdentity(uuid: region, major: major, minor: minor)
            }
        }
        return nil
    }

    /// The minors that have not been issued.
    private static func free(in minors: ClosedRange<UInt16>, issued: [UInt16]) -> [UInt16] {
        var isIssued = [Bool](repeating: false, count: 1 << 16)
        for minor in issued { isIssued[Int(minor)] = true }
        return minors.filter { !isIssued[Int($0)] }
    }
}

/// The region of the original FindMyBike app, inside which only the registry allocates identities.
public enum NetworkRegion {
    /// The UUID 21EECF71-D5C7-4A00-9B90-27C94B5146EA.
    public static let uuid = ProximityUUID(high: 0x21EE_CF71_D5C7_4A00, low: 0x9B90_27C9_4B51_46EA)
}
