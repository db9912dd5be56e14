public import Beacons
public import RegistryAPI

/// What a finder says that the bike is.
public enum FoundBike: Hashable, Sendable {
    case sticker(SecretDigest)
    case beacon(BeaconIdentity)

    public var origin: ConversationOrigin {
        switch self {
        case .sticker: .sticker
        case .beacon: .beacon
        }
    }
}

/// The network of a finder, as two numbers that are valid for one day (``FindSenders``).
public struct FinderNetwork: Hashable, Sendable {
    /// An IPv4 address, or the /48 of an IPv6 address.
    public var subscriber: Int64
    /// The /16 of an IPv4 address, or the /32 of an IPv6 address.
    public var area: Int64

    public init(subscriber: Int64 = 0, area: Int64 = 0) {
        self.subscriber = subscriber
        self.area = area
    }
}

/// A conversation that a finder begins.
public struct NewConversation: Sendable {
    public var id: ConversationID
    public var secret: SecretDigest
    public var found: FoundBike
    public var network: FinderNetwork
    public var text: String
    public var time: Timestamp

    public init(
        id: ConversationID, secret: SecretDigest, found: FoundBike, network: FinderNetwork, text: String,
        time: Timestamp
    ) {
        self.id = id
        self.secret = secret
        self.found = found
        self.network = network
        self.text = text
        self.time = time
    }
}

/// Stickers, and the conversations of finders and owners.
///
/// A conversation about a bike that does not exist is stored like any other, and nobody reads it: a finder does not
/// learn whether a code or a beacon belongs to a bike.
public protocol ConversationStore: Sendable {
    /// Gives a bike's sticker another code; the previous one no longer works. Notifies the owner on all channels.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `ownerSuspended`, `tooManyToday`.
    func setSticker(_ code: SecretDigest, on bike: BikeID, by act: OwnerAct) async throws -> Sticker

    /// - Throws: `notFound` if the caller does not see the bike, or if it has no sticker.
    func sticker(of bike: BikeID, by owner: OwnerID) async throws -> Sticker

    /// Makes a sticker's code invalid, and notifies the owner on all channels.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    func revokeSticker(of bike: BikeID, by act: OwnerAct) async throws

    /// Begins a conversation. If there is one with this secret that began with the same message, nothing happens.
    ///
    /// - Returns: false if there is another one with this secret; then nothing is stored.
    /// - Throws: `message(.tooManyConversations)`, whether or not the bike exists.
    func beginConversation(_ new: NewConversation) async throws -> Bool

    /// The conversation of a finder; nil if there is none with this secret.
    func conversation(_ secret: SecretDigest) async throws -> Conversation?

    /// Adds a message of the finder. If the owner has blocked the finder's network today, the conversation ends instead.
    ///
    /// - Parameter network: the finder's network today (``FinderNetwork/subscriber``).
    /// - Throws: `notFound`, `message`.
    func write(_ text: String, in secret: SecretDigest, from network: Int64, at time: Timestamp) async throws

    /// Ends a conversation for its finder, who can report it if the owner has written, or if it is about a number, even
    /// after it has ended.
    ///
    /// - Throws: `notFound`, `message(.tooManyReports)`.
    func endConversation(_ secret: SecretDigest, isReported: Bool, at time: Timestamp) async throws

    /// A bike's conversations, in the order of ``ConversationRank``. The cursor is a position in this order.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    func conversations(
        of bike: BikeID, by owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Conversation, Int64>

    /// - Throws: `notFound`, `roleNeeded`.
    func conversation(_ id: ConversationID, of bike: BikeID, by owner: OwnerID) async throws -> Conversation

    /// Adds a message of the owner. A repeated call adds nothing.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `message`, `ownerSuspended`, `idempotencyKeyReused`.
    func answer(
        _ text: String, in id: ConversationID, of bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> Conversation

    /// Ends a conversation, and blocks or reports its finder, even after it has ended. A block also ends the other open
    /// conversations about the bike whose finders wrote last from the same network on the same day. While the bike is
    /// missing, the owner is notified on all channels.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `message(.tooManyReports)`.
    func closeConversation(
        _ id: ConversationID, of bike: BikeID, _ closure: ConversationClosure, by act: OwnerAct
    ) async throws -> Conversation

    /// The conversations that were reported and not settled, the earliest first.
    func reportedConversations(
        _ page: PageRequest<ConversationID>
    ) async throws -> StoredPage<ReportedConversation, ConversationID>

    /// Takes a conversation off the list of reported ones.
    ///
    /// - Throws: `notFound`.
    func settleConversation(_ id: ConversationID, by act: OperatorAct) async throws
}

/// The part of the work with conversations that depends only on time.
public protocol ConversationUpkeep: Sendable {
    /// Notifies owners of finders' messages.
    ///
    /// - Returns: the number of conversations that were processed; fewer than the limit if none is left.
    func tellMessages(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Ends conversations in which nobody has written for ``MessageRules/idle``, and deletes those that ended
    /// ``MessageRules/kept`` ago.
    func ageConversations(limit: Int, at time: Timestamp) async throws -> Int
}
