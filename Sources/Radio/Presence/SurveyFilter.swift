public import Beacons

/// A filter for the beacons of a survey. A nil or empty property matches all.
public struct SurveyFilter: Hashable, Sendable {
    public var kinds: Set<BeaconFrame.Kind> = []
    public var uuid: ProximityUUID?
    public var identity: BeaconIdentity?
    /// The minimum smoothed signal strength in dBm; if set, beacons without any do not match.
    public var minimumRSSI: Int?
    /// Whether only beacons match that were within about 4 m when they were last heard.
    public var isNearOnly = false

    public init() {}

    func matches(_ frame: BeaconFrame, _ entry: SurveyEntry) -> Bool {
        guard kinds.isEmpty || kinds.contains(frame.kind),
            uuid == nil || frame.identity?.uuid == uuid,
            identity == nil || frame.identity == identity
        else { return false }
        if let minimumRSSI {
            guard let value = entry.smoothedRSSI, value >= Double(minimumRSSI) else { return false }
        }
        guard isNearOnly else { return true }
        let band = entry.proximity(at: entry.last)
        return band == .immediate || band == .near
    }
}
