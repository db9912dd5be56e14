import Beacons
public import RegistryAPI

/// A visit when it arrives: dated by the registry's clock, or refused.
public struct ArrivedVisit: Hashable, Sendable {
    /// The visit with its dates; it may be recorded if no field is refused.
    public private(set) var visit: Visit
    /// The refused fields, with pointers that start at the visit; empty if the visit is accepted.
    public private(set) var refusals: [FieldError]
    private let received: Timestamp
    /// Whether the station sent `secondsAgo` in place of the time.
    private let isReckoned: Bool

    /// - Parameter sent: the visit as the station sent it.
    public init(_ sent: Visit, at received: Timestamp) {
        self.received = received
        isReckoned = sent.secondsAgo != nil
        visit = SightingRules.dated(sent, received: received)
        refusals = SightingRules.refusals(of: visit, now: received)
        if refusals.isEmpty { visit = SightingRules.withoutFuture(visit, received: received) }
    }

    /// Whether it may be recorded.
    public var isAccepted: Bool { refusals.isEmpty }

    /// Whether its own times are unreliable. Then a rotating beacon may show the time.
    public var isDoubtful: Bool { !isAccepted || visit.isTimeUncertain }

    /// Takes the dates from the slot that was heard, if the visit is then accepted.
    public mutating func date(by slot: HeardSlot) {
        let dated = SightingRules.dated(visit, by: slot, received: received, isReckoned: isReckoned)
        guard SightingRules.refusals(of: dated, now: received).isEmpty else { return }
        visit = SightingRules.withoutFuture(dated, received: received)
        refusals = []
    }
}

/// The rules for the times of a visit.
public enum SightingRules {
    /// The maximum age of a visit when it arrives.
    public static let oldest = Duration.days(30)
    /// How far a station's clock may be ahead of the registry's.
    public static let clockTolerance = Duration.seconds(300)

    /// The longest visit: stations close a visit after 24 hours and continue with a new one. A visit that claims to
    /// have lasted longer could reach back into a closed report, so only its end counts.
    public static let longest = Duration.seconds(25 * 3600)

    /// The visit with wall times in place of `secondsAgo` and at most as long as ``longest``. These times are
    /// uncertain, since they include the transmission delay. Staff's answers are dated no later than now: otherwise a
    /// clock that is ahead would silence every later answer.
    public static func dated(_ visit: Visit, received: Timestamp) -> Visit {
        var dated = visit
        if let confirmation = visit.confirmation {
            dated.confirmation = VisitConfirmation(
                answer: confirmation.answer, time: min(confirmation.time, received)
            )
        }
        if let secondsAgo = visit.secondsAgo {
            let length = max(.zero, visit.firstSeen.duration(to: visit.lastSeen))
            dated.lastSeen = received.advanced(by: .milliseconds(-Int64((secondsAgo * 1000).rounded())))
            dated.firstSeen = dated.lastSeen.advanced(by: .zero - length)
            dated.timeUncertain = true
            dated.secondsAgo = nil
        }
        dated.firstSeen = max(dated.firstSeen, dated.lastSeen.advanced(by: .zero - longest))
        return dated
    }

    /// The refused fields of a visit, with pointers that start at the visit; empty if the visit is valid.
    public static func refusals(of visit: Visit, now: Timestamp) -> [FieldError] {
        var errors: [FieldError] = []
        if visit.firstSeen > visit.lastSeen {
            errors.append(FieldError(pointer: "/firstSeen", detail: "must not be later than lastSeen"))
        }
        if visit.lastSeen < now.advanced(by: .zero - oldest) {
            errors.append(FieldError(pointer: "/lastSeen", detail: "must be at most 30 days ago"))
        }
        if visit.lastSeen > now.advanced(by: clockTolerance) {
            let detail = "is in the future; check the station’s clock"
            errors.append(FieldError(pointer: "/lastSeen", detail: detail))
        }
        return errors
    }

    /// An accepted visit with no time after its arrival, since a station's clock may be ahead by ``clockTolerance``.
    /// Otherwise a report could get a moment after its closure, which belongs to the bike's next report.
    public static func withoutFuture(_ visit: Visit, received: Timestamp) -> Visit {
        var past = visit
        past.firstSeen = min(visit.firstSeen, received)
        past.lastSeen = min(visit.lastSeen, received)
        return past
    }

    /// The longest delay between a station's report and its arrival; a longer time does not count as a delay.
    public static let longestDelay = Duration.seconds(3600)

    /// A visit whose time is uncertain, dated by the slot of a rotating beacon that was heard. Its own time is kept if
    /// it agrees, or if the slot cannot correct it:
    ///
    /// - A slot that the beacon has not sent yet by the time of arrival dates nothing.
    /// - A visit with `secondsAgo` was heard at most ``longestDelay`` earlier, and never later.
    /// - A visit with a wall time that has not passed is dated by a slot of at most ``longestDelay`` ago: its station's
    ///   clock is ahead.
    /// - A clock that is behind is corrected by any amount; one that is ahead by at most ``longestDelay``. A repeated
    ///   identity is old, so its visit must not be dated back to the time of the original.
    ///
    /// - Parameter isReckoned: whether the visit had `secondsAgo`.
    public static func dated(
        _ visit: Visit, by slot: HeardSlot, received: Timestamp, isReckoned: Bool = false
    ) -> Visit {
        var dated = visit
        dated.timeUncertain = true
        let sent = slot.time
        let slack = Duration.seconds(Int64(RotatingSlot.seconds) * slot.tolerance)
        let span = sent.lowerBound.advanced(by: .zero - slack)...sent.upperBound.advanced(by: slack)
        let isInOrder = visit.firstSeen <= visit.lastSeen
        let agrees = isInOrder && visit.firstSeen >= span.lowerBound && visit.lastSeen <= span.upperBound
        guard !agrees, span.lowerBound <= received else { return dated }
        let isBehind = visit.lastSeen < span.lowerBound
        let isNear = min(visit.lastSeen, received) <= span.upperBound.advanced(by: longestDelay)
        guard isBehind ? !isReckoned : isNear else { return dated }
        let length = min(max(.zero, visit.firstSeen.duration(to: visit.lastSeen)), .seconds(RotatingSlot.seconds))
        dated.lastSeen = min(sent.upperBound, received)
        dated.firstSeen = dated.lastSeen.advanced(by: .zero - length)
        return dated
    }

    /// The time after which the audit commits to the current data of a visit that continues.
    public static let unrecorded = Duration.seconds(3600)

    /// The delay after which a sighting counts as late, counted from when its beacon was last heard.
    public static let lateAfter = Duration.seconds(3600)

    /// Whether a sighting reaches the registry late.
    public static func isLate(lastSeen: Timestamp, received: Timestamp) -> Bool {
        lastSeen.duration(to: received) > lateAfter
    }
}
