public import RegistryAPI

/// What a token proves: who calls, and how far that goes.
public struct Credential: Hashable, Sendable {
    public var principal: Principal
    /// `manage` for stations and operators, whose tokens have no scopes.
    public var scope: TokenScope
    /// The token itself, where it is an owner's.
    public var token: TokenID?
    /// When the token was last known to be used; kept for an owner's tokens only.
    public var lastUsed: Timestamp?

    /// How exactly the last use is kept: a write for each call would wear the disk and slow every reading call.
    public static let useResolution = Duration.seconds(3600)

    public init(_ principal: Principal, scope: TokenScope = .manage, token: TokenID? = nil, lastUsed: Timestamp? = nil)
    {
        self.principal = principal
        self.scope = scope
        self.token = token
        self.lastUsed = lastUsed
    }

    /// The owner's token whose use at this time is worth a write; nil where it is not.
    func tokenToNote(at time: Timestamp) -> TokenID? {
        guard let lastUsed, time < lastUsed.advanced(by: Self.useResolution) else { return token }
        return nil
    }
}
