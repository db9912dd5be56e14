import Foundation
import HTTPClient
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import Notifiers

/// A peer in Python that uses other projects' packages, and returns the received requests as JSON.
struct JudgingPeer {
    let folder: TemporaryFolder
    let peer: PythonPeer

    /// - Parameter script: the name of a fixture without its extension; it gets a folder as its first argument.
    init(_ script: String, _ arguments: [String] = []) throws {
        let path = try #require(Bundle.module.path(forResource: script, ofType: "py", inDirectory: "Fixtures"))
        folder = try TemporaryFolder()
        peer = try PythonPeer(
            path, [folder.path] + arguments, interpreter: Repository.path(".build/venv/bin/python"),
            remedy: "run scripts/prepare.sh tests"
        )
    }

    var authority: String { folder.file("authority.pem") }

    func shown<Value: Decodable>(_ path: String, tls: Bool = false) async throws -> Value {
        // The peers with TLS speak HTTP/2 only.
        let configuration = HTTPConfiguration(certificateAuthorityFile: tls ? authority : nil, waitsForStreams: tls)
        let url = "\(tls ? "https" : "http")://localhost:\(peer.port)\(path)"
        let response = try await HTTPConnection(configuration).send(HTTPRequest(.get, url: url))
        return try JSONDecoder().decode(Value.self, from: Data(response.body))
    }
}

extension ClaimedAlert {
    /// A sample alert for a channel.
    static func sample(
        _ kind: ChannelKind, _ url: String, settings: ChannelSettings = ChannelSettings(), created: Timestamp
    ) -> ClaimedAlert {
        var alert = Samples.alert(created: created, url: url)
        alert.channel = Target(
            id: alert.channel.id, kind: kind, address: url, secret: alert.channel.secret, settings: settings
        )
        return alert
    }
}
