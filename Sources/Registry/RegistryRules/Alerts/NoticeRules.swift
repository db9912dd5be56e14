public import RegistryAPI

extension OwnerNotice.Event {
    /// Whether the notice may wake somebody: acts that a thief with the owner's laptop would perform, acts that stop a
    /// search immediately, and messages that the owner is waiting for. A find is urgent if the bike is missing.
    public var isUrgent: Bool {
        switch self {
        case .tokenCreated, .tokenRevoked, .recoveryUsed, .recoveryReplaced, .ownerChanged, .channelRemoved,
            .channelChanged, .channelTest, .channelVerification, .reportClosed, .reportChanged, .sightingDismissed,
            .sessionCreated, .sessionRevoked, .passkeyAdded, .passkeyRemoved, .passkeyCopied, .shareCreated,
            .shareRevoked,
            .bikeTransferred, .bikeErased, .bikeChanged, .beaconChanged, .beaconClockMoved, .searchStopped,
            .ownerSuspended,
            .referenceWithdrawn, .beaconProved, .reportOpened, .memberInvited, .memberJoined, .memberChanged,
            .memberRemoved, .stickerChanged, .conversationEnded:
            true
        case .beaconFound, .messageReceived, .reportUnconfirmed, .referenceNeeded, .confirmationNeeded,
            .referenceConfirmed,
            .searchAllowed, .objectionAnswered, .claimAccepted, .claimRefused,
            .ownerResumed, .ownerVerified, .ownerUnverified, .channelGone, .membershipEnded, .reportExpiring,
            .reportExpired, .reportSuspended,
            .reportQuiet,
            .inspectionDue,
            .insuranceEnding, .taxDue, .breakdownCoverEnding, .batteryAging:
            false
        }
    }

    /// The time when the notice is sent; unless it is urgent, it waits for daytime and for the end of quiet hours.
    public func due(at now: Timestamp, in zone: LocalZone, quiet: QuietHours?) -> Timestamp {
        isUrgent ? now : Self.calmTime(at: now, in: zone, quiet: quiet)
    }

    /// The time when a notice that must not wake people is sent.
    public static func calmTime(at now: Timestamp, in zone: LocalZone, quiet: QuietHours?) -> Timestamp {
        let day = ReminderTimes.next(at: now, in: zone)
        return quiet?.end(at: day, in: zone) ?? day
    }
}

/// The number of notices of one kind that an owner gets within a window; further ones are counted, and announced in one
/// notice at its end.
///
/// Each kind is counted separately, and notices about a bike are counted for each bike. So no other act of a thief can
/// delay the notice of a closed report.
public struct NoticeRate: Hashable, Sendable {
    /// The number of notices that are sent without delay.
    public var atOnce: Int
    /// The time in which they are counted.
    public var window: Duration

    public init(atOnce: Int, window: Duration) {
        self.atOnce = atOnce
        self.window = window
    }

    /// The rate for an event: anyone can send finds; acts with an owner's token are rarer.
    public static func of(_ event: OwnerNotice.Event) -> NoticeRate {
        guard event == .beaconFound else { return NoticeRate(atOnce: 3, window: .seconds(3600)) }
        return NoticeRate(atOnce: 5, window: .seconds(6 * 3600))
    }
}
