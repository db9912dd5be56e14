import HTTPTypes
import Registry
import RegistryAPI
import Synchronization
import Syntax

/// The callers that may make a call.
enum Access: Hashable, Sendable {
    case anyone
    case `operator`
    case station
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
        case .owner, .ownerOrShare: .owner
        }
    }
}

/// One call that is served.
struct Route: Hashable, Sendable {
    let method: HTTPRequest.Method
    /// The pattern of the path. A segment that begins with a colon is a parameter.
    let path: String
    let access: Access
}

/// All calls that are served: the source of `Allow`, and of the tests of access and of the contract.
final class RouteTable: Sendable {
    private let routes = Mutex<[(route: Route, segments: [String])]>([])

    func add(_ route: Route) {
        routes.withLock { $0.append((route, Self.segments(of: route.path))) }
    }

    /// The routes in the order in which they were added.
    var all: [Route] { routes.withLock { $0.map(\.route) } }

    /// The methods of the pattern that matches a path; empty if none does.
    func methods(forPath path: String) -> [HTTPRequest.Method] {
        let segments = Self.segments(of: path)
        let fitting = routes.withLock { $0.filter { Self.fits(segments, $0.segments) } }
        // A path that a pattern spells out is not a parameter of another pattern.
        let exact = fitting.filter { $0.segments == segments }
        return (exact.isEmpty ? fitting : exact).map(\.route.method).flatMap { $0 == .get ? [.get, .head] : [$0] }
    }

    private static func segments(of path: String) -> [String] { path.split(at: "/").map(String.init) }

    private static func fits(_ path: [String], _ pattern: [String]) -> Bool {
        path.count == pattern.count && zip(path, pattern).allSatisfy { $1.begins(with: ":") || $0 == $1 }
    }
}
