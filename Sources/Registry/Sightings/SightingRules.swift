public import RegistryAPI

/// Which times of a visit the registry accepts.
public enum SightingRules {
    /// How late a visit may be told.
    public static let oldest = Duration.seconds(30 * 86_400)
    /// How far ahead of the registry's clock a station's may be.
    public static let clockTolerance = Duration.seconds(300)

    /// The visit with wall times in place of `secondsAgo`, uncertain since they include how long the message took.
    public static func dated(_ visit: Visit, received: Timestamp) -> Visit {
        guard let secondsAgo = visit.secondsAgo else { return visit }
        let length = max(.zero, visit.firstSeen.duration(to: visit.lastSeen))
        var dated = visit
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
