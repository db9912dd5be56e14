/// The rate limits of the server, one for each kind of request; the operator sets them (`limits.*`).
public struct RateLimits: Sendable {
    /// What is counted together, in one bucket for each address, token or other caller.
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
        /// Messages of people who feel followed, from an address; those about a beacon of this registry count
        /// separately for each beacon.
        case followed
        /// Numbers that buyers check from an address.
        case checks
        /// The same over a day. Wider networks have a multiple of it.
        case dailyChecks
        /// Numbers that buyers check from all addresses together.
        case allChecks
        /// Numbers that the buyers of one partner check here. Its requests for the list of hidden numbers have a second
        /// bucket, with the same limit.
        case partnerChecks
        /// Attempts to sign in with a browser from an address.
        case signIns
        /// Map tiles that one owner gets. All links to this owner's searches together have a second bucket, with the
        /// same limit.
        case tiles
        /// Map tiles that one link to a search gets.
        case sharedTiles
        /// Answers that staff give at the displays of one station.
        case answers
        /// Map tiles that one operator gets.
        case deskTiles

        /// Whether these requests come from forms that anybody may send without a cookie. Only the registry's own pages
        /// may contain such a form.
        var isFromOpenForms: Bool { [.finds, .messages, .followed, .checks].contains(self) }

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
