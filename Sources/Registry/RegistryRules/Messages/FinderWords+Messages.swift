public import Languages
public import RegistryAPI

extension FinderWords {
    /// How a finder's page names the writer of a message.
    public func side(_ side: ConversationSide) -> String { side == .finder ? you : owner }

    /// Why a message is not accepted, for the finder.
    ///
    /// - Parameter deleted: when the conversation is deleted, if it has ended.
    public func refusal(_ refusal: MessageRefusal, deleted: Timestamp?) -> String {
        switch refusal {
        case .ended: deleted.map { endedUntil(moment($0)) } ?? ended
        case .awaitingAnswer: awaitingAnswer(MessageRules.unanswered)
        case .tooManyToday: tooManyToday(MessageRules.perDay)
        case .full, .tooManyAnswered: full
        case .tooManyPhotos: tooManyPhotos
        case .tooManyReports: tooManyReports
        case .tooManyConversations: tooManyConversations
        }
    }

    /// The text for too many photos, with the limits.
    public var tooManyPhotos: String {
        tooManyPhotos(photos: "\(MessageRules.photos)", perNetwork: "\(MessageRules.photosPerNetwork)")
    }

    /// How long to wait, such as “3 minutes”, never too short.
    public func wait(_ seconds: Int) -> String {
        switch seconds {
        case ..<120: self.seconds(seconds)
        case ..<7200: minutes(seconds / 60 + 1)
        default: hours(seconds / 3600 + 1)
        }
    }

    /// A time in UTC, since the reader's zone is not known.
    public func moment(_ time: Timestamp) -> String {
        let zone = LocalZone()
        return AlertWords(language).moment(zone.clock(at: time), zone: zone.label(at: time))
    }
}
