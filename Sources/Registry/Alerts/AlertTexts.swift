public import RegistryAPI

/// What alerts say to people, in one place.
public enum AlertTexts {
    /// What, where, when.
    public static func message(for bike: SightingAlert.BikeSummary, _ sighting: Sighting) -> String {
        let name = "\(bike.make) \(bike.model)"
        let time = Self.time(of: sighting)
        return "The beacon of your \(noun(for: bike.kind)) \(name) was heard at \(sighting.station.name) \(time)."
    }

    /// How sure it is and why, in whole sentences. No level excludes that the beacon was copied, and the text says so.
    public static func certainty(of sighting: Sighting) -> String {
        let level =
            switch sighting.level {
            case .possible: "This is possible: one station says so."
            case .corroborated: "This is corroborated."
            case .disputed: "This is in dispute."
            }
        let late = sighting.late ? ["It was told late: over an hour after the beacon was last heard there."] : []
        let sentences = [level] + sighting.reasons.map(sentence) + late
        return (sentences + ["A beacon can be copied: no sighting proves that the bike was there."])
            .joined(separator: " ")
    }

    /// What a reason means.
    public static func sentence(for reason: SightingReason) -> String {
        switch reason {
        case .otherVenue: "A station of another venue heard the beacon, too, at a time and place that fit."
        case .seenAtVenue: "A person at the venue saw the described bike."
        case .tooFast: "Another station heard the beacon so far away that it would have moved at over 250 km/h."
        case .tooManyHops: "From station to station the beacon would have moved faster than traffic can."
        case .otherPlace: "The station says that it was elsewhere than where it was enrolled."
        case .reportsEverything: "The station claims to hear a large part of all missing bikes."
        case .notSeenAtVenue: "A person at the venue looked for the described bike and did not see it."
        case .quarantined: "The registry’s operator does not trust what this station told then."
        case .unverified: "It came through the original app, from somebody unknown."
        }
    }

    /// What has happened.
    public static func message(for notice: OwnerNotice) -> String {
        let bike = notice.bike.map { "your \(noun(for: $0.kind)) \($0.make) \($0.model)" } ?? "your bike"
        let subject = notice.subject.map { " “\($0)”" } ?? ""
        return switch notice.event {
        case .tokenCreated: "A new token\(subject) for your account was made."
        case .recoveryUsed: "A recovery code of your account was used to make a new token\(subject)."
        case .channelRemoved: "An alert channel\(subject) of your account was removed."
        case .channelChanged: "An alert channel\(subject) of your account leads elsewhere now."
        case .channelGone: "An alert channel\(subject) of your account was removed: nothing arrives there any more."
        case .channelTest: "This is a test of an alert channel\(subject) of your account."
        case .channelVerification: "Somebody wants alerts about a missing bike to be sent to this address."
        case .reportClosed: "The missing report of \(bike) was closed\(subject)."
        case .reportExpiring: "The missing report of \(bike) ends on \(notice.subject ?? "its last day")."
        case .reportExpired: "The missing report of \(bike) has ended by age."
        case .reportSuspended: "Nobody looks for \(bike) any more: its missing report has no police reference."
        case .bikeTransferred: "\(bike.prefix(1).uppercased() + bike.dropFirst()) was handed over to another owner."
        case .beaconFound: "Somebody says that they hear the beacon of \(bike)\(subject)."
        }
    }

    /// What to do about it.
    public static func advice(for notice: OwnerNotice) -> String {
        switch notice.event {
        case .tokenCreated, .recoveryUsed, .channelRemoved, .channelChanged, .reportClosed, .bikeTransferred:
            "If this was not you, somebody has your token: make a new one with a recovery code and revoke the others."
        case .channelGone: "Add another channel, so that alerts still reach you."
        case .channelTest: "Nothing needs to be done."
        case .channelVerification: "If it was not you, do nothing: no other message will come."
        case .reportExpiring, .reportExpired: "Open a new report if the bike is still missing."
        case .reportSuspended: "Tell the police of the theft and add their reference to the report; it then goes on."
        case .beaconFound:
            "These are a stranger’s words that nobody has checked: open no link, pay nothing, meet nobody alone. Tell "
                + "the police."
        }
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
    public init(_ content: ClaimedAlert.SightingContent, created: Timestamp) {
        self.init(
            timestamp: created,
            data: Content(
                bike: content.bike,
                report: content.sighting.report,
                sighting: content.sighting,
                message: AlertTexts.message(for: content.bike, content.sighting),
                certainty: AlertTexts.certainty(of: content.sighting),
                advice: AlertTexts.advice(policeReference: content.policeReference)
            )
        )
    }
}

extension NoticeAlert {
    public init(_ notice: OwnerNotice, created: Timestamp) {
        self.init(
            notice.event,
            timestamp: created,
            data: Content(
                bike: notice.bike, subject: notice.subject, message: AlertTexts.message(for: notice),
                advice: AlertTexts.advice(for: notice)
            )
        )
    }
}
