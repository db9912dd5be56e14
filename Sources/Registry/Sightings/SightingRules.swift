public import RegistryAPI

/// Which times of a visit the registry accepts.
public enum SightingRules {
    /// How late a visit may be told.
    public static let oldest = Duration.seconds(30 * 86_400)
    /// How far ahead of the registry's clock a station's may be.
    public static let clockTolerance = Duration.seconds(300)

    /// How long a visit may last: stations close one after 24 hours and go on with the next. One that claims to have lasted
    /// longer could reach back into a report that has closed, so only its end counts.
    public static let longest = Duration.seconds(25 * 3600)

    /// How long a visit may go on before the audit commits itself to what it says by then.
    public static let unrecorded = Duration.seconds(3600)

    /// How long after it was last heard a beacon's sighting counts as late.
    public static let lateAfter = Duration.seconds(3600)

    public static func isLate(lastSeen: Timestamp, received: Timestamp) -> Bool {
        lastSeen.duration(to: received) > lateAfter
    }

    /// The visit with wall times in place of `secondsAgo`, uncertain since they include how long the message took, and not
    /// longer than ``longest``. What people said counts as said by now at the latest: else a clock that is ahead would
    /// silence every later answer.
    public static func dated(_ visit: Visit, received: Timestamp) -> Visit {
        var dated = reckoned(visit, received: received)
        dated.firstSeen = max(dated.firstSeen, dated.lastSeen.advanced(by: .zero - longest))
        return dated
    }

    private static func reckoned(_ visit: Visit, received: Timestamp) -> Visit {
        var dated = visit
        if let confirmation = visit.confirmation {
            dated.confirmation = VisitConfirmation(
                answer: confirmation.answer, time: min(confirmation.time, received)
            )
        }
        guard let secondsAgo = visit.secondsAgo else { return dated }
        let length = max(.zero, visit.firstSeen.duration(to: visit.lastSeen))
        dated.lastSeen = received.advanced(by: .milliseconds(-Int64((secondsAgo * 1000).rounded())))
        dated.firstSeen = dated.lastSeen.advanced(by: .zero - length)
        dated.timeUncertain = true
        dated.secondsAgo = nil
        return dated
    }

    /// The refused fields of a visit, with pointers that start at the visit; empty where all is well.
    public static func refusals(of visit: Visit, now: Timestamp) -> [FieldError] {
        var errors: [FieldError] = []
        if visit.firstSeen > visit.lastSeen {
            errors.append(FieldError(pointer: "/firstSeen", detail: "must not be later than lastSeen"))
        }
        if visit.lastSeen < now.advanced(by: .zero - oldest) {
            errors.append(FieldError(pointer: "/lastSeen", detail: "must be at most 30 days ago"))
        }
        if visit.lastSeen > now.advanced(by: clockTolerance) {
            let detail = "lies in the future; check the station’s clock"
            errors.append(FieldError(pointer: "/lastSeen", detail: detail))
        }
        return errors
    }
}
