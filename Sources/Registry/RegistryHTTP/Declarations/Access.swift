import RegistryAPI
import RegistryRules

/// The callers that may make a call.
enum Access: Hashable, Sendable {
    case anyone
    case `operator`
    case station
    /// Another registry.
    case partner
    /// An owner with a token of at least this scope.
    case owner(TokenScope)
    /// Anyone with the secret of a share.
    case share
    /// A screen with the cookie of a display.
    case display
    /// An owner with any token, or anyone with the secret of a share.
    case ownerOrShare

    /// The kind of principal that may make the call with its token; nil if none needs one.
    var principal: Principal.Kind? {
        switch self {
        case .anyone, .share, .display: nil
        case .operator: .operator
        case .station: .station
        case .partner: .partner
        case .owner, .ownerOrShare: .owner
        }
    }
}
