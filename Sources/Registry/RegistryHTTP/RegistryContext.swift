import HTTPTypes
public import Hummingbird
import Logging
import NIOCore
import OperatingSystem
import RegistryAPI
import RegistryRules

/// The state of one request on its way through the middlewares.
public struct RegistryContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The caller; set if the path requires a token.
    var principal: Principal?
    /// The scope of the token.
    var scope = TokenScope.manage
    /// The widest scope that the session can have once it is confirmed; of a token, its scope.
    var ceiling = TokenScope.manage
    /// The session, if the request came with a cookie.
    var session: TokenID?
    /// The operator's session, if the request came with its cookie.
    var desk: DeskSessionID?
    /// The owner's token or session.
    var token: TokenID?
    /// The secret of a share, which is not checked yet.
    var share: SecretDigest?
    /// The secret of a display, which is not checked yet.
    var display: AccessToken?

    /// The address at the other end of the connection.
    private let peerAddress: SocketAddress?
    /// The connection, or the stream of HTTP/2, over which the response is sent.
    let connection: any NIOCore.Channel

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peerAddress = source.channel.remoteAddress
        connection = source.channel
    }

    /// Whether the request is a stream of an HTTP/2 connection. The parent of a connection is the listening socket.
    var isStream: Bool { connection.parent?.parent != nil }

    /// The peer's IP address; nil if it has none.
    var peer: NetworkAddress? { peerAddress.flatMap { NetworkAddress($0) } }

    /// The identifier of the request in the log and, as `X-Request-Id`, in the response.
    var requestID: String { logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? "-" }
}

/// The context of a request of a principal.
protocol PrincipalContext: RequestContext {
    var principal: Principal { get }
}

/// The context of an owner's request.
struct OwnerContext: ChildRequestContext, PrincipalContext {
    var coreContext: CoreRequestContextStorage
    let owner: OwnerID
    /// What the token, or the session at this moment, allows.
    let scope: TokenScope
    /// The session; nil if the request came with a token.
    let session: TokenID?
    let connection: any NIOCore.Channel
    /// The context that the client's address is counted by.
    let client: RegistryContext

    /// - Throws: `unauthenticated`, `forbidden`.
    init(context: RegistryContext) throws {
        guard case .owner(let owner) = context.principal else { throw context.refusal(needing: .owner) }
        coreContext = context.coreContext
        self.owner = owner
        scope = context.scope
        session = context.session
        connection = context.connection
        client = context
    }

    /// Checks that the token, or the session at this moment, has a scope.
    ///
    /// - Throws: `insufficientScope`; `confirmationNeeded` if the session would have it once it is confirmed.
    func require(_ needed: TokenScope) throws {
        guard scope < needed else { return }
        throw client.ceiling < needed ? DomainError.insufficientScope(needed: needed) : .confirmationNeeded
    }

    var principal: Principal { .owner(owner) }
}

/// The context of a station's request.
struct StationContext: ChildRequestContext, PrincipalContext {
    var coreContext: CoreRequestContextStorage
    let station: StationID

    init(context: RegistryContext) throws {
        guard case .station(let station) = context.principal else { throw context.refusal(needing: .station) }
        coreContext = context.coreContext
        self.station = station
    }

    var principal: Principal { .station(station) }
}

/// The context of a partner's request.
struct PartnerContext: ChildRequestContext, PrincipalContext {
    var coreContext: CoreRequestContextStorage
    let partner: PartnerID
    /// The context in which the request is authenticated again after a wait.
    let client: RegistryContext

    init(context: RegistryContext) throws {
        guard case .partner(let partner) = context.principal else { throw context.refusal(needing: .partner) }
        coreContext = context.coreContext
        self.partner = partner
        client = context
    }

    var principal: Principal { .partner(partner) }
}

/// The context of an operator's request.
struct OperatorContext: ChildRequestContext, PrincipalContext {
    var coreContext: CoreRequestContextStorage
    let id: OperatorID
    /// The session; nil if the request came with a token.
    let session: DeskSessionID?
    /// The context that the client's address is counted by.
    let client: RegistryContext

    init(context: RegistryContext) throws {
        guard case .operator(let id) = context.principal else { throw context.refusal(needing: .operator) }
        coreContext = context.coreContext
        self.id = id
        session = context.desk
        client = context
    }

    var principal: Principal { .operator(id) }
}

extension RegistryContext {
    /// The error for a caller of another kind.
    fileprivate func refusal(needing kind: Principal.Kind) -> DomainError {
        principal == nil ? .unauthenticated : .forbidden(needed: kind)
    }
}
