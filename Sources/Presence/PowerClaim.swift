import Beacons

/// The measured power that a visit counts with, when its frames disagree.
///
/// Anybody can send the same identity with another power. The majority vote of Boyer and Moore (“MJRTY”, 1981) finds what
/// most frames claim with two numbers, whatever is sent. A claim that cannot be true has no vote.
struct PowerClaim: Hashable, Sendable {
    /// In dBm at 1 m; nil before a plausible claim.
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
