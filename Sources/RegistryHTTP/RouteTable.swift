import HTTPTypes
import Synchronization

/// The paths that are served, with their methods: what `Allow` says.
final class RouteTable: Sendable {
    private let routes = Mutex<[(segments: [String], method: HTTPRequest.Method)]>([])

    func add(_ pattern: String, _ method: HTTPRequest.Method) {
        routes.withLock { $0.append((Self.segments(of: pattern), method)) }
    }

    /// The methods of the pattern that fits a path; empty where none does.
    func methods(forPath path: String) -> [HTTPRequest.Method] {
        let segments = Self.segments(of: path)
        let fitting = routes.withLock { $0.filter { Self.fits(segments, $0.segments) }.map(\.method) }
        return fitting.flatMap { $0 == .get ? [.get, .head] : [$0] }
    }

    private static func segments(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

    /// A segment that begins with a colon is a parameter.
    private static func fits(_ path: [String], _ pattern: [String]) -> Bool {
        path.count == pattern.count && zip(path, pattern).allSatisfy { $1.hasPrefix(":") || $0 == $1 }
    }
}
