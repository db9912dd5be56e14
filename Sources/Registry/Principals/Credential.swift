public import RegistryAPI

/// The caller that a token authenticates, and the caller's scope.
public struct Credential: Hashable, Sendable {
    public var principal: Principal
    /// The scope; `manage` for stations and operators, whose tokens have no scopes.
    public var scope: TokenScope
    /// The identifier of the token; nil unless it belongs to an owner.
    public var token: TokenID?
    /// The last recorded use of the token; recorded only for owners' tokens.
    public var lastUsed: Timestamp?

    /// The resolution of the recorded last use. Recording each request would wear out
    /// the disk and slow down every read.
    public static let useResolution = Duration.seconds(3600)

    public init(_ principal: Principal, scope: TokenScope = .manage, token: TokenID? = nil, lastUsed: Timestamp? = nil)
    {
        self.principal = principal
        self.scope = scope
        self.token = token
        self.lastUsed = lastUsed
    }

    /// The owner's token, if its use at this time must be recorded; otherwise nil.
    func tokenToNote(at time: Timestamp) -> TokenID? {
        guard let lastUsed, time < lastUsed.advanced(by: Self.useResolution) else { return token }
        return nil
    }
}
