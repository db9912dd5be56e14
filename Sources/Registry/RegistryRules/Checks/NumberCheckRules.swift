public import RegistryAPI

/// The limits of checks by buyers.
public enum NumberCheckRules {
    /// The maximum number of bikes' numbers that one owner can open to buyers' checks in a day.
    public static let perDay = 10
    /// The maximum number of owners who get a message about one number.
    public static let mostBikes = 3
    /// The maximum number of conversations about a bike's number that buyers can report before the operator settles
    /// one. From one wider network it is one.
    public static let mostReported = 10
}

/// A message from somebody who has checked a number to the owners of the missing bikes that have it.
public struct BuyerMessage: Sendable {
    /// The identifier and the secret of one of its conversations.
    public struct Conversation: Sendable {
        public var id: ConversationID
        /// The digest of the conversation's secret (``ConversationSecret/digest``).
        public var secret: SecretDigest

        public init(id: ConversationID, secret: SecretDigest) {
            self.id = id
            self.secret = secret
        }
    }

    public var number: BikeNumber
    /// One conversation for each bike that can have the number, ``NumberCheckRules/mostBikes``.
    public var conversations: [Conversation]
    public var network: FinderNetwork
    public var text: String
    public var time: Timestamp

    public init(
        number: BikeNumber, conversations: [Conversation], network: FinderNetwork, text: String, time: Timestamp
    ) {
        self.number = number
        self.conversations = conversations
        self.network = network
        self.text = text
        self.time = time
    }
}

/// Whether a bike with a number is missing.
public enum NumberMatch: Hashable, Sendable {
    case exact
    /// No bike with this number is missing, but bikes are whose numbers may have been misread as this one
    /// (``BikeNumber/folded``), at most ``NumberCheckRules/mostBikes``.
    case similar([BikeNumber])
    case none
}

/// Numbers that others can check, and the key that hides them.
public struct CheckableNumbers: Sendable {
    public let numbers: [BikeNumber]
    public let key: NumberKey

    public init(numbers: [BikeNumber], key: NumberKey) {
        self.numbers = numbers
        self.key = key
    }
}
