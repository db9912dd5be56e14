import RegistryAPI

/// The bounds of what partners can make a registry do.
public enum PartnerRules {
    /// The most hashes on the missing lists of all partners together. With a registry's own list, a station takes eight
    /// million.
    public static let mostListed = 6_000_000
    /// The most visits that wait for one partner. When a partner is away for long, further ones are not kept for it.
    public static let mostWaiting = 20_000
    /// The most of these of one station: somebody who has its token must not be able to displace those of others.
    public static let mostWaitingOfStation = 2_000
    /// The time for which a visit waits for a partner: as long as for a registry.
    public static let patience = SightingRules.oldest
    /// The most stations of one partner.
    public static let mostStations = 5_000
    /// The shortest time between two moves of a partner's station; further moves do not count.
    public static let betweenMoves = Duration.days(1)
    /// How long the answer to a station waits for partners' answers.
    public static let answerWait = Duration.seconds(2)
    /// The time after which a list that the partner has not confirmed is dropped: most of its bikes may be back.
    public static let longestUnconfirmed = Duration.days(7)
    /// The most numbers of missing bikes that partners get, and the most that are taken from one.
    public static let mostNumbers = 5000
    /// The most partners.
    public static let mostPartners = 100
    /// The most stations whose visits are recorded in one transaction. To judge a visit takes long if many stations
    /// have reported the bike, and other callers' changes wait for the transaction.
    public static let mostStationsTogether = 10
    /// The most signing keys that are pinned for one partner.
    public static let mostKeys = 16
}
