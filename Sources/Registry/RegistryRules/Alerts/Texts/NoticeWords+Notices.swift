import Languages
import RegistryAPI

extension NoticeWords {
    /// What has happened. The catalogue's text of the event uses those of the parts that it needs.
    func message(_ notice: OwnerNotice, _ bike: BikeName) -> String {
        let date = notice.date.map(AlertWords(language).date)
        return message(
            notice.event, subject: notice.subject.map(subject) ?? "", bike: bike, day: date.map(onDay) ?? soon,
            reason: notice.subject.map(reason) ?? "", answer: notice.subject.map(answer) ?? "",
            since: date.map(sinceDay) ?? longSince, name: notice.subject.map(name) ?? somebody,
            number: notice.subject.map(number) ?? "")
    }

    /// What to do about an event, and what not to do.
    func advice(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated, .tokenRevoked, .recoveryUsed, .recoveryReplaced, .ownerChanged, .channelRemoved,
            .channelChanged, .reportClosed, .reportChanged, .sightingDismissed, .bikeTransferred, .bikeErased,
            .bikeChanged, .beaconChanged, .beaconClockMoved:
            adviceAccountChanged
        case .sessionCreated, .sessionRevoked, .passkeyAdded, .passkeyRemoved: adviceSignIn
        case .shareCreated: adviceShareCreated
        case .shareRevoked: adviceShareRevoked
        case .passkeyCopied: advicePasskeyCopied
        case .reportOpened: adviceReportOpened
        case .memberInvited, .memberJoined, .memberChanged, .memberRemoved: adviceMembers
        case .membershipEnded: adviceShared
        case .channelGone: adviceChannelGone
        case .channelTest, .referenceConfirmed, .searchAllowed, .ownerResumed, .ownerVerified: adviceNothing
        case .channelVerification: adviceChannelVerification
        case .reportExpiring, .reportExpired: adviceReportEnding
        case .reportSuspended: adviceReportSuspended
        case .reportUnconfirmed, .confirmationNeeded, .referenceWithdrawn: adviceConfirmation
        case .referenceNeeded: adviceReferenceNeeded
        case .beaconProved: adviceBeaconProved
        case .claimAccepted: adviceClaimAccepted
        case .claimRefused: adviceClaimRefused
        case .objectionAnswered: adviceObjectionAnswered
        case .searchStopped: adviceSearchStopped
        case .ownerSuspended, .ownerUnverified: adviceMistake
        case .reportQuiet: adviceReportQuiet
        case .beaconFound: adviceBeaconFound
        case .messageReceived: adviceMessageReceived
        case .stickerChanged: adviceStickerChanged
        case .conversationEnded: adviceConversationEnded
        case .inspectionDue, .insuranceEnding, .taxDue, .breakdownCoverEnding: adviceNextDate
        case .batteryAging: adviceBatteryAging
        }
    }
}

extension AlertWords {
    /// A date, such as “21 November 2026”.
    func date(_ date: CalendarDate) -> String {
        let day = date.dayOfMonth == 1 ? firstDay : "\(date.dayOfMonth)"
        let month = months.indices.contains(date.month - 1) ? months[date.month - 1] : ""
        return self.date(day: day, month: month, year: "\(date.year)")
    }

    /// A time, such as “on 21 November 2026 at 13:00 (Europe/Berlin, UTC+1)”.
    func moment(_ clock: LocalClock, zone: String) -> String {
        moment(date: date(clock.date), time: clock.text, zone: zone)
    }
}

extension BikeName {
    /// The name of a bike in sentences; nil stands for a bike of which nothing is known.
    init(_ bike: SightingAlert.BikeSummary?) {
        self.init(kind: bike?.kind ?? .other, name: bike.map { "\($0.make) \($0.model)" } ?? "")
    }
}
