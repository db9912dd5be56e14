public import Beacons

/// Which of the beacons of a survey are wanted. What is nil or empty wants all.
public struct SurveyFilter: Hashable, Sendable {
    public var kinds: Set<BeaconFrame.Kind> = []
    public var uuid: ProximityUUID?
    public var identity: BeaconIdentity?
    /// Least smoothed signal strength in dBm; beacons without any are not wanted then.
    public var minimumRSSI: Int?
    /// Whether only beacons are wanted that were within some 4 m when they were last heard.
    public var isNearOnly = false

    public init() {}

    public func wants(_ frame: BeaconFrame, _ entry: SurveyEntry) -> Bool {
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

extension BeaconSurvey {
    /// The wanted beacons, the strongest first.
    public func strongest(_ filter: SurveyFilter = SurveyFilter()) -> [(frame: BeaconFrame, entry: SurveyEntry)] {
        entries.filter { filter.wants($0.key, $0.value) }
            .map { (frame: $0.key, entry: $0.value) }
            .sorted { left, right in
                (left.entry.smoothedRSSI ?? -200, left.entry.frames)
                    > (right.entry.smoothedRSSI ?? -200, right.entry.frames)
            }
    }
}
