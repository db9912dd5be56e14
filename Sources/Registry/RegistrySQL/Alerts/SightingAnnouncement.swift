import RegistryAPI
import RegistryRules

/// How a new sighting is announced. This is a pure function of the sighting and of the report's earlier alerts, and the
/// only place where alerts about new sightings are decided.
struct SightingAnnouncement {
    /// The thread of an earlier alert that the sighting joins; nil if it joins none.
    private(set) var thread: Int64?
    /// For a sighting that the report remembers as announced: whether no announced sighting was heard after it.
    private(set) var isHeardLast: Bool?
    /// The station's alerts with this one, if it counts among them.
    private(set) var share: AlertRules.StationShare?
    private var decision: AlertRules.Decision?

    init(of candidate: AlertCandidate, after history: AlertRules.History) {
        // A very long stay is split into visits; its owner already knows about it from the first.
        thread = candidate.part.surroundings.thread
        guard thread == nil, !candidate.part.channels.isEmpty else { return }
        let (evidence, time) = (candidate.evidence, candidate.reported.time)
        let decision = AlertRules.decision(
            at: evidence.place, firstSeen: evidence.firstSeen, lastSeen: evidence.lastSeen, received: time,
            isDoubtful: AlertRules.isDoubtful(candidate.reasons), after: history
        )
        self.decision = decision
        isHeardLast = history.isHeardLast(evidence.firstSeen)
        switch decision {
        case .joins(let earlier): thread = earlier
        case .digest: break
        case .alert:
            var counted = AlertRules.StationShare(since: time, count: 0)
            if let open = candidate.isLate ? history.late : history.station, open.isOpen(at: time) { counted = open }
            counted.count += 1
            share = counted
        }
    }

    /// Whether an alert that is sent alone is urgent.
    var isUrgent: Bool { decision == .alert(isUrgent: true) }

    /// When and how a channel gets the sighting; nil if it gets none. An alert of its own is sent immediately, unless
    /// the channel waits for an acknowledgement, or it is quiet time: then it is sent later
    /// (``AlertRules/delivery(of:at:wait:quiet:)``).
    ///
    /// - Parameter time: when the registry got the sighting.
    func delivery(on channel: AlertChannel, at time: Timestamp) -> AlertRules.Delivery? {
        guard let decision else { return nil }
        let quietHours = channel.quietHours
        let zone = quietHours == nil ? LocalZone() : LocalZone(channel.zone)
        return AlertRules.delivery(of: decision, at: time, wait: channel.after) { quietHours?.end(at: $0, in: zone) }
    }
}
