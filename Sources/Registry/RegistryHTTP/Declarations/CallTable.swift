import HTTPTypes
import Synchronization
import Syntax

/// All calls that are served: the source of the contract, of `Allow`, and of the tests of access.
final class CallTable: Sendable {
    private let calls = Mutex<[(call: Call, segments: [String])]>([])

    func add(_ call: Call) {
        calls.withLock { $0.append((call, Self.segments(of: call.path))) }
    }

    /// The calls in the order in which they were added.
    var all: [Call] { calls.withLock { $0.map(\.call) } }

    /// The methods of the pattern that matches a path; empty if none does.
    func methods(forPath path: String) -> [HTTPRequest.Method] {
        let segments = Self.segments(of: path)
        let fitting = calls.withLock { $0.filter { Self.fits(segments, $0.segments) } }
        // A path that a pattern spells out is not a parameter of another pattern.
        let exact = fitting.filter { $0.segments == segments }
        return (exact.isEmpty ? fitting : exact).map(\.call.method).flatMap { $0 == .get ? [.get, .head] : [$0] }
    }

    private static func segments(of path: String) -> [String] { path.split(at: "/").map(String.init) }

    /// Whether a path fits a pattern, in which a segment with a colon stands for any.
    private static func fits(_ path: [String], _ pattern: [String]) -> Bool {
        path.count == pattern.count && zip(path, pattern).allSatisfy { $1.begins(with: ":") || $0 == $1 }
    }
}
