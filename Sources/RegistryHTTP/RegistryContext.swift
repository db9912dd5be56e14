import HTTPTypes
public import Hummingbird
import Logging
import NIOCore
import NetworkAddresses
import Registry
import RegistryAPI

/// What belongs to one request on its way through the middlewares.
public struct RegistryContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Set where the path asks for a token.
    var principal: Principal?
    /// How far the token reaches.
    var scope = TokenScope.manage

    /// Who is at the other end of the connection.
    private let peerAddress: SocketAddress?
    let connection: any NIOCore.Channel

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peerAddress = source.channel.remoteAddress
        connection = source.channel
    }

    /// The peer's address; nil where it has none of the Internet.
    var peer: NetworkAddress? { peerAddress.flatMap { NetworkAddress($0) } }

    /// Names the request in the log and, as `X-Request-Id`, in the answer.
    var requestID: String { logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? "-" }
}

/// A request of an owner.
struct OwnerContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let owner: OwnerID
    let scope: TokenScope
    let connection: any NIOCore.Channel

    init(context: RegistryContext) throws {
        guard case .owner(let owner) = context.principal else { throw context.refusal(needing: .owner) }
        coreContext = context.coreContext
        self.owner = owner
        scope = context.scope
        connection = context.connection
    }

    var principal: Principal { .owner(owner) }

    /// What this request does, at this moment.
    func act(_ request: Request, _ operations: RegistryOperations) -> OwnerAct {
        let code = HTTPField.Name(RecoveryCodeField.name).flatMap { request.headers[$0] }
        return operations.act(of: owner, recoveryCode: code)
    }
}

/// A request of a station.
struct StationContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let station: StationID

    init(context: RegistryContext) throws {
        guard case .station(let station) = context.principal else { throw context.refusal(needing: .station) }
        coreContext = context.coreContext
        self.station = station
    }
}

/// A request of an operator.
struct OperatorContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let id: OperatorID

    init(context: RegistryContext) throws {
        guard case .operator(let id) = context.principal else { throw context.refusal(needing: .operator) }
        coreContext = context.coreContext
        self.id = id
    }

    var principal: Principal { .operator(id) }
}

extension RegistryContext {
    fileprivate func refusal(needing kind: Principal.Kind) -> DomainError {
        principal == nil ? .unauthenticated : .forbidden(needed: kind)
    }
}
