public import RegistryAPI

extension OwnerNotice.Event {
    /// Whether it may wake somebody: what a thief with the owner's laptop would do, a find, what the owner waits for.
    public var isUrgent: Bool {
        switch self {
        case .tokenCreated, .recoveryUsed, .ownerChanged, .channelRemoved, .channelChanged, .channelTest,
            .channelVerification, .reportClosed, .bikeTransferred, .beaconFound:
            true
        case .channelGone, .reportExpiring, .reportExpired, .reportSuspended, .reportQuiet, .inspectionDue,
            .insuranceEnding, .taxDue, .breakdownCoverEnding, .batteryAging:
            false
        }
    }

    /// When it is told: what is not urgent waits for the day and for the end of quiet hours.
    public func due(at now: Timestamp, in zone: LocalZone, quiet: QuietHours?) -> Timestamp {
        guard !isUrgent else { return now }
        let day = ReminderTimes.next(at: now, in: zone)
        return quiet?.end(at: day, in: zone) ?? day
    }
}
