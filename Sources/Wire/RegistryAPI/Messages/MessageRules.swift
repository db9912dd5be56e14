/// The limits of messages between finders and owners.
///
/// A network is that of one subscriber: an IPv4 address, or the /48 of an IPv6 address. The wider network around it is the
/// /16, or the /32.
public enum MessageRules {
    /// The length of a message, in characters.
    public static let length = 1...500
    /// The maximum number of messages that one side can write before the other answers.
    public static let unanswered = 3
    /// The maximum number of messages that one side can write in a day.
    public static let perDay = 10
    /// The maximum number of messages of a conversation.
    public static let mostMessages = 100
    /// The maximum number of conversations that finders in one network can begin about one code or beacon in a day.
    public static let perNetwork = 3
    /// The maximum number of conversations about one code or beacon that its owner has not answered. Beyond it, the
    /// wider network with the most of them loses its newest.
    public static let mostWaiting = 1000
    /// The maximum number of open conversations of a bike that its owner has answered.
    public static let mostAnswered = 100
    /// The maximum number of open conversations of an account that their owner has answered.
    public static let mostAnsweredOfAccount = 1000
    /// The maximum number of conversations of an account, ended ones included. Beyond it, the account loses those that
    /// ended first, and then the newest from the wider network that has the most.
    public static let mostOfAccount = 3000
    /// The maximum number of reports about one account, by each side, that the operator has not settled.
    public static let mostReports = 20
    /// The maximum number of conversations in the registry. Beyond it, the account or the wider network that has the
    /// most loses its own.
    public static let most = 50_000
    /// The maximum number of a finder's photos in a conversation.
    public static let photos = 3
    /// The maximum number of photos that finders in one network can add in a day.
    public static let photosPerNetwork = 6
    /// The maximum number of bytes of a finder's file. The page makes photos smaller than that.
    public static let photoFile = 1 << 20
    /// The maximum number of finders' photos in the registry, and below, of the bytes of their pictures. Beyond either,
    /// the wider network that has the most loses its newest.
    public static let mostPhotos = 500
    public static let mostPhotoBytes = 200 << 20
    /// The time without a message after which a conversation ends.
    public static let idle = Duration.days(30)
    /// The time for which a conversation is kept after its end.
    public static let kept = Duration.days(30)
}
