public import RegistryAPI

/// What alerts say to people, in one place.
public enum AlertTexts {
    /// What, where, when.
    public static func message(for bike: SightingAlert.BikeSummary, _ sighting: Sighting) -> String {
        let name = "\(bike.make) \(bike.model)"
        let time = Self.time(of: sighting)
        return "The beacon of your \(noun(for: bike.kind)) \(name) was heard at \(sighting.station.name) \(time)."
    }

    /// What to do, and what not.
    public static func advice(policeReference: String?) -> String {
        let reference = policeReference.flatMap { $0.isEmpty ? nil : $0 }
        guard let reference else {
            return
                "Do not confront anyone. Report the theft to the police if you have not yet, and tell them the place "
                + "and the time."
        }
        return "Do not confront anyone. Call the police, give your reference \(reference), and tell them the place and "
            + "the time."
    }

    private static func noun(for kind: BikeKind) -> String {
        kind == .other ? "bike" : kind.rawValue
    }

    /// To the minute, in UTC.
    private static func time(of sighting: Sighting) -> String {
        let text = sighting.firstSeen.description
        let certainty = sighting.timeUncertain ? " (the station’s clock was not set, so the time may be wrong)" : ""
        return "on \(text.prefix(10)) at \(text.dropFirst(11).prefix(5)) UTC\(certainty)"
    }
}

extension SightingAlert {
    /// The message of an alert, the same at each attempt unless the visit has grown since.
    public init(_ alert: ClaimedAlert) {
        self.init(
            timestamp: alert.created,
            data: Content(
                bike: alert.bike,
                report: alert.sighting.report,
                sighting: alert.sighting,
                message: AlertTexts.message(for: alert.bike, alert.sighting),
                advice: AlertTexts.advice(policeReference: alert.policeReference)
            )
        )
    }
}
