public import RegistryAPI

/// When a sighting is told and how: pure functions of what its owner was told before.
public enum AlertRules {
    /// Metres from the last alert's place beyond which a place is another one.
    public static let samePlace = 500.0
    /// Between two visits at one place that are told as one.
    public static let sameTime = Duration.seconds(600)
    /// How many alerts of one station and one report an owner gets within ``shareWindow``; further sightings are told
    /// together at its end. It counts for each station alone, so that nobody can silence another's.
    public static let share = 6
    public static let shareWindow = Duration.seconds(3600)
    /// How long after its making an alert is worth an update.
    public static let updates = Duration.seconds(86_400)

    /// What was told of a report before a new sighting of it.
    ///
    /// A late visit must not change the alerts about the present: it never becomes ``last``, and has its own share.
    public struct History: Hashable, Sendable {
        /// What was heard last of all that was told; nil where nothing was.
        public var last: Told?
        /// What the station told before and after a visit that was heard before ``last``.
        public var around: [Told]
        /// The station's alerts in its present window; nil where it told nothing of the report in time.
        public var station: StationShare?
        /// The station's alerts about late visits; nil where there were none.
        public var late: StationShare?

        public init(
            last: Told? = nil, around: [Told] = [], station: StationShare? = nil, late: StationShare? = nil
        ) {
            self.last = last
            self.around = around
            self.station = station
            self.late = late
        }

        /// Whether nothing that was told was heard after a visit with this beginning.
        public func isHeardLast(_ firstSeen: Timestamp) -> Bool { last.map { firstSeen >= $0.firstSeen } ?? true }
    }

    /// An alert, with the visits that were told as one with it.
    public struct Told: Hashable, Sendable {
        /// Names the alert in the store.
        public var thread: Int64
        /// Of the first visit.
        public var place: Place
        /// Of the latest visit.
        public var firstSeen: Timestamp
        public var lastSeen: Timestamp
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

    /// How many alerts a station has caused since a time.
    public struct StationShare: Hashable, Sendable {
        public var since: Timestamp
        public var count: Int

        public init(since: Timestamp, count: Int) {
            self.since = since
            self.count = count
        }

        /// Whether the window that began then is still open; a clock that was set back opens a new one.
        public func isOpen(at time: Timestamp) -> Bool { (since..<since.advanced(by: shareWindow)).contains(time) }
    }

    /// What happens to a new sighting.
    public enum Decision: Hashable, Sendable {
        /// It gets an alert of its own.
        case alert(isUrgent: Bool)
        /// It is part of what an alert told.
        case joins(thread: Int64)
        /// It is told together with others, not before this time.
        case digest(at: Timestamp)
    }

    /// - Parameter isDoubtful: whether it is disputed, or nobody knows who told it. What nobody doubts is never part of
    ///   what somebody does: a false sighting must not hide a true one.
    public static func decision(
        at place: Place, firstSeen: Timestamp, lastSeen: Timestamp, received: Timestamp, isDoubtful: Bool = false,
        after history: History
    ) -> Decision {
        let isLate = SightingRules.isLate(lastSeen: lastSeen, received: received)
        let alert = Decision.alert(isUrgent: !isLate)
        guard history.station != nil || isLate && history.late != nil else { return alert }
        let told = (history.last.map { [$0] } ?? []) + (history.isHeardLast(firstSeen) ? [] : history.around)
        let same = told.first { told in
            (isDoubtful || !told.isDoubtful) && told.place.distance(to: place) <= samePlace
                && told.isWithin(sameTime, of: firstSeen...max(firstSeen, lastSeen))
        }
        if let same { return .joins(thread: same.thread) }
        guard let used = isLate ? history.late : history.station, used.isOpen(at: received), used.count >= share else {
            return alert
        }
        return .digest(at: used.since.advanced(by: shareWindow))
    }

    /// What a sighting's acknowledgement goes by.
    public struct Heard: Hashable, Sendable {
        /// Names the alert that told it.
        public var thread: Int64
        /// When it began; of an unset clock, when it was received.
        public var time: Timestamp

        public init(thread: Int64, firstSeen: Timestamp, received: Timestamp, timeUncertain: Bool) {
            self.thread = thread
            time = timeUncertain ? max(firstSeen, received) : firstSeen
        }

        /// Whether no alert about another is needed once this one was acknowledged: the other belongs to the same alert, or
        /// was heard earlier. A newer one is news.
        public func covers(_ other: Heard) -> Bool { other.thread == thread || other.time <= time }
    }

    /// Whether a sighting with these reasons may hide no other.
    public static func isDoubtful(_ reasons: some Collection<SightingReason>) -> Bool {
        Plausibility.level(for: reasons) == .disputed || reasons.contains(.unverified)
    }

    /// Whether a level is worth telling to somebody who was told these: support and doubt are, that they are gone is not.
    public static func isNews(_ level: SightingLevel, after told: some Collection<SightingLevel>) -> Bool {
        level != .possible && !told.isEmpty && !told.contains(level)
    }

    /// When a channel gets what is decided.
    ///
    /// - Parameters:
    ///   - wait: minutes that the channel leaves to the others, for somebody to acknowledge; nil for none.
    ///   - quiet: the end of the quiet time that a moment lies in; nil where it lies in none.
    public static func delivery(
        of decision: Decision, at now: Timestamp, wait: Int?, quiet: (Timestamp) -> Timestamp?
    ) -> Delivery? {
        let begin: Timestamp
        var isTogether = false
        switch decision {
        case .joins: return nil
        case .alert: begin = now
        case .digest(let time): (begin, isTogether) = (max(now, time), true)
        }
        let due = begin.advanced(by: .seconds((wait ?? 0) * 60))
        if let end = quiet(due) { return .digest(at: end) }
        return isTogether ? .digest(at: due) : .alone(at: due)
    }

    /// When one channel gets a sighting.
    public enum Delivery: Hashable, Sendable {
        case alone(at: Timestamp)
        case digest(at: Timestamp)
    }
}

extension AlertRules.Told {
    /// Whether so little time lies between these visits and another.
    fileprivate func isWithin(_ gap: Duration, of visit: ClosedRange<Timestamp>) -> Bool {
        visit.lowerBound <= lastSeen.advanced(by: gap) && visit.upperBound >= firstSeen.advanced(by: .zero - gap)
    }
}
