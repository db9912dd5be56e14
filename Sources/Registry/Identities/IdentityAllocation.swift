public import Beacons

/// How identities are allocated inside the network region: a random minor that was never issued, then the next major.
///
/// Owners who picked their own would collide: among 302 bikes with more probability than not.
public struct IdentityAllocation: Sendable {
    public let region: ProximityUUID
    public let majors: ClosedRange<UInt16>
    public let minors: ClosedRange<UInt16>

    /// The defaults are the network's; smaller ranges serve tests.
    public init(
        region: ProximityUUID = NetworkRegion.uuid,
        majors: ClosedRange<UInt16> = 1...UInt16.max,
        minors: ClosedRange<UInt16> = 100...UInt16.max
    ) {
        self.region = region
        self.majors = majors
        self.minors = minors
    }

    /// Random minors tried before the free ones are listed. Below 80 % use, one in 35 allocations needs the list.
    private static let probes = 16

    /// An identity that was never issued, or nil where the region is exhausted.
    ///
    /// - Parameters:
    ///   - latestMajor: the highest major issued so far, nil where none is.
    ///   - isIssued: whether an identity is in use or was ever retired.
    ///   - issuedMinors: all minors issued under a major, in any order.
    public func next(
        latestMajor: UInt16?,
        isIssued: (BeaconIdentity) throws -> Bool,
        issuedMinors: (UInt16) throws -> [UInt16],
        using generator: inout some RandomNumberGenerator
    ) throws -> BeaconIdentity? {
        let first = max(latestMajor ?? majors.lowerBound, majors.lowerBound)
        guard first <= majors.upperBound else { return nil }
        for major in first...majors.upperBound {
            for _ in 0..<Self.probes {
                let minor = UInt16.random(in: minors, using: &generator)
                let identity = BeaconIdentity(uuid: region, major: major, minor: minor)
                if try !isIssued(identity) { return identity }
            }
            if let minor = Self.free(in: minors, issued: try issuedMinors(major)).randomElement(using: &generator) {
                return BeaconIdentity(uuid: region, major: major, minor: minor)
            }
        }
        return nil
    }

    private static func free(in minors: ClosedRange<UInt16>, issued: [UInt16]) -> [UInt16] {
        var isIssued = [Bool](repeating: false, count: 1 << 16)
        for minor in issued { isIssued[Int(minor)] = true }
        return minors.filter { !isIssued[Int($0)] }
    }
}
