public import RegistryAPI

/// The caller that a token authenticates, and the caller's scope.
public struct Credential: Hashable, Sendable {
    public var principal: Principal
    /// The scope; `manage` for stations and operators, whose tokens have no scopes.
    public var scope: TokenScope
    /// The widest scope that a session can have; for a token, its scope.
    public let ceiling: TokenScope
    /// The identifier of the token; nil unless it belongs to an owner.
    public var token: TokenID?
    /// The last recorded use of the token; recorded only for owners' tokens.
    public var lastUsed: Timestamp?
    /// The times of a session; nil if it is a token.
    public var session: SessionState?
    /// Whether this use has prolonged the session, so that its cookie must be prolonged, too.
    public var isRenewed = false

    /// The resolution of the recorded last use. Recording each request would wear out
    /// the disk and slow down every read.
    public static let useResolution = Duration.seconds(3600)

    public init(
        _ principal: Principal, scope: TokenScope = .manage, token: TokenID? = nil, lastUsed: Timestamp? = nil,
        session: SessionState? = nil
    ) {
        self.principal = principal
        self.scope = scope
        ceiling = scope
        self.session = session
        self.token = token
        self.lastUsed = lastUsed
    }

    /// The owner's token, if its use at this time must be recorded; otherwise nil.
    package func tokenToNote(at time: Timestamp) -> TokenID? {
        guard let lastUsed, time < lastUsed.advanced(by: Self.useResolution) else { return token }
        // A clock that was ahead must not prolong a session.
        return session != nil && lastUsed > time.advanced(by: Self.useResolution) ? token : nil
    }
}
