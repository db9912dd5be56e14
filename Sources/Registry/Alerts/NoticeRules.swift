public import RegistryAPI

extension OwnerNotice.Event {
    /// Whether it may wake somebody: what a thief with the owner's laptop would do, what stops a search at once, what the
    /// owner waits for. A find may where the bike is missing.
    public var isUrgent: Bool {
        switch self {
        case .tokenCreated, .tokenRevoked, .recoveryUsed, .recoveryReplaced, .ownerChanged, .channelRemoved,
            .channelChanged, .channelTest, .channelVerification, .reportClosed, .reportChanged, .sightingDismissed,
            .bikeTransferred, .bikeErased, .bikeChanged, .beaconChanged, .searchStopped, .ownerSuspended,
            .referenceWithdrawn, .beaconProved:
            true
        case .beaconFound, .reportUnconfirmed, .referenceNeeded, .confirmationNeeded, .referenceConfirmed,
            .searchAllowed, .claimAccepted, .claimRefused,
            .ownerResumed, .channelGone, .reportExpiring, .reportExpired, .reportSuspended, .reportQuiet,
            .inspectionDue,
            .insuranceEnding, .taxDue, .breakdownCoverEnding, .batteryAging:
            false
        }
    }

    /// When it is told: what is not urgent waits for the day and for the end of quiet hours.
    public func due(at now: Timestamp, in zone: LocalZone, quiet: QuietHours?) -> Timestamp {
        isUrgent ? now : Self.calmTime(at: now, in: zone, quiet: quiet)
    }

    /// When what wakes nobody is told.
    public static func calmTime(at now: Timestamp, in zone: LocalZone, quiet: QuietHours?) -> Timestamp {
        let day = ReminderTimes.next(at: now, in: zone)
        return quiet?.end(at: day, in: zone) ?? day
    }
}

/// How many notices of one kind an owner gets at once; what comes beyond is counted and told in one at the window's end.
///
/// Each kind counts for itself, and what is about a bike counts for that bike alone: nothing else that a thief does can
/// keep the closing of a report from being told at once.
public struct NoticeRate: Hashable, Sendable {
    public var atOnce: Int
    public var window: Duration

    public init(atOnce: Int, window: Duration) {
        self.atOnce = atOnce
        self.window = window
    }

    /// Anyone can send finds; what an owner's token does is rarer.
    public static func of(_ event: OwnerNotice.Event) -> NoticeRate {
        event == .beaconFound
            ? NoticeRate(atOnce: 5, window: .seconds(6 * 3600)) : NoticeRate(atOnce: 3, window: .seconds(3600))
    }
}
