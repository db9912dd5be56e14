/// The rate limits of the server, by kind.
public struct RateLimits: Sendable {
    /// The kinds of requests that share a bucket.
    public enum Kind: Int, CaseIterable, Sendable {
        /// All requests from an address that carry no valid token.
        case address
        /// All requests with one token.
        case token
        /// Invalid tokens from an address.
        case wrongTokens
        /// New owners from an address.
        case owners
        /// One-time and recovery codes tried from an address.
        case codes
        /// Finds sent from an address.
        case finds
        /// Messages that finders send from an address.
        case messages
        /// Messages of people who feel followed from an address, and again those about each beacon of this registry.
        case followed
        /// Numbers that buyers check from an address in an hour, in a day, and from all addresses together.
        case checks, dailyChecks, allChecks
        /// Checks by the buyers of one partner, and as many times its list of hidden numbers.
        case partnerChecks
        /// Attempts to sign in with a browser from an address.
        case signIns
        /// Map tiles that one owner gets, and as many that all links of this owner to searches get.
        case tiles
        /// Map tiles that one link to a search gets.
        case sharedTiles
        /// Answers that staff give at the displays of one station.
        case answers
        /// Map tiles that one operator gets.
        case deskTiles

        /// Whether anybody may make these requests, with a form on a page that needs no cookie.
        var isOfForms: Bool { [.finds, .messages, .followed, .checks].contains(self) }

        /// Whether the call counts its requests itself, once it has read them.
        var isCountedByCall: Bool { [.followed, .checks].contains(self) }
    }

    private var limits: [RequestLimit]

    /// No limits.
    public init() { limits = Kind.allCases.map { _ in .off } }

    public subscript(kind: Kind) -> RequestLimit {
        get { limits[kind.rawValue] }
        set { limits[kind.rawValue] = newValue }
    }
}
