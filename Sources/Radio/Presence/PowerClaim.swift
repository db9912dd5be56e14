import Beacons

/// The measured power that a visit uses if its frames disagree.
///
/// Anybody can send the same identity with another power. The majority vote of Boyer and Moore (“MJRTY”, 1981) finds
/// the value claimed by most frames, with only two numbers of state. Implausible claims do not count.
struct PowerClaim: Hashable, Sendable {
    /// The power in dBm at 1 m; nil before a plausible claim.
    private(set) var value: Int8?
    private var lead = 0

    mutating func add(_ claim: Int8) {
        guard IBeacon.plausiblePowers.contains(claim) else { return }
        if lead == 0 {
            (value, lead) = (claim, 1)
        } else {
            lead += claim == value ? 1 : -1
        }
    }
}
