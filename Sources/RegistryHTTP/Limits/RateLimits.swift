/// What is limited, and how much of it.
public struct RateLimits: Sendable {
    /// Which requests share a bucket.
    public enum Kind: Int, CaseIterable, Sendable {
        /// All requests of an address that carry no valid token.
        case address
        /// All requests with one token.
        case token
        /// Tokens of an address that turned out to be none.
        case wrongTokens
        /// New owners of an address.
        case owners
        /// One-time and recovery codes that an address tries.
        case codes
        /// Finds that an address tells of.
        case finds
    }

    private var limits: [RequestLimit]

    /// Nothing is limited.
    public init() { limits = Kind.allCases.map { _ in .off } }

    public subscript(kind: Kind) -> RequestLimit {
        get { limits[kind.rawValue] }
        set { limits[kind.rawValue] = newValue }
    }

    /// Where links in messages lead.
    private static let links = ["/acknowledge/", "/v1/verification/", "/v1/unsubscription/"]

    /// The stricter limit of a call that anyone may make.
    static func stricter(for path: String) -> Kind? {
        switch path {
        case "/v1/owners": .owners
        case "/v1/recovery", "/v1/station/enrolment": .codes
        case "/v1/finds": .finds
        case _ where links.contains(where: path.hasPrefix): .codes
        default: nil
        }
    }
}
