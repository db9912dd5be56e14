import Foundation
import TestSupport
import Testing

/// The server of the fixtures.
struct TestServer {
    private let peer: PythonPeer

    init() throws {
        let script = try #require(Bundle.module.path(forResource: "server", ofType: "py", inDirectory: "Fixtures"))
        peer = try PythonPeer(script)
    }

    var port: Int { peer.port }

    func url(_ path: String) -> String { "http://127.0.0.1:\(peer.port)\(path)" }

    /// The response of `/echo`, which describes the request.
    struct Seen: Decodable {
        let method: String
        let body: String
        let headers: [String: String]
    }
}
