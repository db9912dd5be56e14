public import RegistryAPI

/// The rules for when and how a sighting is announced: pure functions of the owner's earlier alerts.
public enum AlertRules {
    /// The distance from the last alert's place, in metres, beyond which a place is a different one.
    public static let samePlace = 500.0
    /// The longest time between two visits at one place that share an alert.
    public static let sameTime = Duration.seconds(600)
    /// The number of alerts about one station and one report that an owner gets within ``shareWindow``; further
    /// sightings are announced together at its end. Each station is counted separately, so that one station cannot
    /// silence another.
    public static let stationShare = 6
    /// The time in which a station's alerts are counted. It begins with the first of them.
    public static let shareWindow = Duration.seconds(3600)
    /// The age up to which an alert is updated.
    public static let updatePeriod = Duration.days(1)

    /// The earlier alerts of a report when a station has stored a new sighting.
    ///
    /// A late visit must not change the alerts about the present: it never becomes ``last``, and has a separate share.
    public struct History: Hashable, Sendable {
        /// The announced sighting that was heard last; nil if there is none.
        public var last: EarlierAlert?
        /// The station's alerts just before and just after the new visit, if the visit was heard before ``last``.
        public var around: [EarlierAlert]
        /// The station's alerts in its current window; nil if it has none.
        public var station: StationShare?
        /// The station's alerts about late visits; nil if there were none.
        public var late: StationShare?

        public init(
            last: EarlierAlert? = nil, around: [EarlierAlert] = [], station: StationShare? = nil,
            late: StationShare? = nil
        ) {
            self.last = last
            self.around = around
            self.station = station
            self.late = late
        }

        /// Whether a visit that began at this time is the latest: no announced sighting was heard after it.
        public func isHeardLast(_ firstSeen: Timestamp) -> Bool { last.map { firstSeen >= $0.firstSeen } ?? true }
    }

    /// An alert that was queued before, with the visits that it announced.
    public struct EarlierAlert: Hashable, Sendable {
        /// The identifier of the alert in the store.
        public var thread: Int64
        /// The place of the first visit.
        public var place: Place
        /// The beginning of the latest visit.
        public var firstSeen: Timestamp
        /// The end of the latest visit.
        public var lastSeen: Timestamp
        /// Whether its first sighting was disputed, or of unknown origin.
        public var isDoubtful: Bool

        public init(
            thread: Int64 = 0, place: Place, firstSeen: Timestamp, lastSeen: Timestamp, isDoubtful: Bool = false
        ) {
            self.thread = thread
            self.place = place
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
            self.isDoubtful = isDoubtful
        }
    }

    /// The number of alerts that a station has caused since a time.
    public struct StationShare: Hashable, Sendable {
        public var since: Timestamp
        public var count: Int

        public init(since: Timestamp, count: Int) {
            self.since = since
            self.count = count
        }

        /// Whether the ``shareWindow`` is still open; if the clock was set back, a new one is opened.
        public func isOpen(at time: Timestamp) -> Bool { (since..<since.advanced(by: shareWindow)).contains(time) }
    }

    /// The way in which a new sighting is announced.
    public enum Decision: Hashable, Sendable {
        /// The sighting gets its own alert.
        case alert(isUrgent: Bool)
        /// The sighting belongs to an earlier alert.
        case joins(thread: Int64)
        /// The sighting is announced together with others, not before this time.
        case digest(at: Timestamp)
    }

    /// How a new sighting is announced.
    ///
    /// It gets its own alert if the station has caused none lately. Otherwise it joins an earlier alert about the same
    /// place and time. If there is none, it waits for a digest once the station's share is used up. An alert is urgent
    /// unless the sighting is late (``SightingRules/isLate(lastSeen:received:)``).
    ///
    /// - Parameters:
    ///   - place: where the beacon was heard.
    ///   - received: when the registry got the sighting.
    ///   - isDoubtful: whether the sighting is disputed, or its origin is unknown. An undoubted sighting never joins a
    ///     doubtful one's alert: a false sighting must not hide a true one.
    ///   - history: the report's earlier alerts.
    public static func decision(
        at place: Place, firstSeen: Timestamp, lastSeen: Timestamp, received: Timestamp, isDoubtful: Bool = false,
        after history: History
    ) -> Decision {
        let isLate = SightingRules.isLate(lastSeen: lastSeen, received: received)
        let alert = Decision.alert(isUrgent: !isLate)
        let used = isLate ? history.late : history.station
        guard used != nil || history.station != nil else { return alert }
        var candidates: [EarlierAlert] = []
        if let last = history.last { candidates.append(last) }
        if !history.isHeardLast(firstSeen) { candidates += history.around }
        let visit = firstSeen...max(firstSeen, lastSeen)
        let joined = candidates.first { earlier in
            guard isDoubtful || !earlier.isDoubtful else { return false }
            return earlier.place.distance(to: place) <= samePlace && earlier.isWithin(sameTime, of: visit)
        }
        if let joined { return .joins(thread: joined.thread) }
        guard let used, used.isOpen(at: received), used.count >= stationShare else { return alert }
        return .digest(at: used.since.advanced(by: shareWindow))
    }

    /// Whether a sighting with these reasons must not hide others.
    public static func isDoubtful(_ reasons: some Collection<SightingReason>) -> Bool {
        Plausibility.level(for: reasons) == .disputed || reasons.contains(.unverified)
    }

    /// When a channel gets an announcement; nil if the sighting joins an earlier alert.
    ///
    /// - Parameters:
    ///   - wait: the minutes that the channel waits for an acknowledgement on other channels; nil for none.
    ///   - quiet: returns the end of the quiet time that contains a moment; nil if there is none.
    public static func delivery(
        of decision: Decision, at now: Timestamp, wait: Int?, quiet: (Timestamp) -> Timestamp?
    ) -> Delivery? {
        let begin: Timestamp
        let isTogether: Bool
        switch decision {
        case .joins: return nil
        case .alert:
            begin = now
            isTogether = false
        case .digest(let time):
            begin = max(now, time)
            isTogether = true
        }
        let due = begin.advanced(by: .seconds((wait ?? 0) * 60))
        if let end = quiet(due) { return .digest(at: end) }
        return isTogether ? .digest(at: due) : .alone(at: due)
    }

    /// When and how a channel gets a sighting.
    public enum Delivery: Hashable, Sendable {
        case alone(at: Timestamp)
        /// Together with others.
        case digest(at: Timestamp)
    }

    /// Whether a level can be news at all. If it cannot, the thread's alerts need not be read.
    public static func canBeNews(_ level: SightingLevel) -> Bool { level != .possible }

    /// Whether to announce a level after the earlier ones: new support and new doubt are announced, but not that either
    /// has gone.
    ///
    /// - Parameter announced: the levels that were announced; if there are none, the sighting itself was not announced.
    public static func isNews(_ level: SightingLevel, after announced: some Collection<SightingLevel>) -> Bool {
        canBeNews(level) && !announced.isEmpty && !announced.contains(level)
    }

    /// A sighting that was announced, with what decides which alerts its acknowledgement makes unnecessary.
    public struct AlertedSighting: Hashable, Sendable {
        /// The identifier of the sighting's alert.
        public var thread: Int64
        /// The beginning of the sighting; if its clock was not set, the time when it was received.
        public var time: Timestamp

        public init(thread: Int64, firstSeen: Timestamp, received: Timestamp, timeUncertain: Bool) {
            self.thread = thread
            time = timeUncertain ? max(firstSeen, received) : firstSeen
        }

        /// Whether acknowledging this sighting makes an alert about the other unnecessary: the other belongs to the
        /// same alert, or was heard earlier.
        public func covers(_ other: AlertedSighting) -> Bool { other.thread == thread || other.time <= time }
    }
}

extension AlertRules.EarlierAlert {
    /// Whether at most this much time lies between the latest visit and another one.
    fileprivate func isWithin(_ gap: Duration, of visit: ClosedRange<Timestamp>) -> Bool {
        visit.lowerBound <= lastSeen.advanced(by: gap) && visit.upperBound >= firstSeen.advanced(by: .zero - gap)
    }
}
