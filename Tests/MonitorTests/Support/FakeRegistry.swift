import Beacons
import Foundation
import HTTPClient
import RegistryAPI
import RegistryClient
import TestSupport
import Testing

/// The registry of `Fixtures/registry.py`: it can be cut, and tells what it was told.
struct FakeRegistry {
    struct State: Decodable {
        let visits: [String: Visit]
        let reports: Int
        let heartbeats: [StationHeartbeat]
    }

    let peer: PythonPeer

    init() throws {
        let script = try #require(Bundle.module.path(forResource: "registry", ofType: "py", inDirectory: "Fixtures"))
        peer = try PythonPeer(script)
    }

    var url: String { "http://127.0.0.1:\(peer.port)" }

    func connect() throws -> RegistryConnection {
        try RegistryConnection(url: url, token: "token", http: try HTTPConnection())
    }

    func state() async throws -> State {
        let response = try await HTTPConnection().send(HTTPRequest(.get, url: url + "/state"))
        return try JSONDecoder().decode(State.self, from: Data(response.body))
    }

    /// How the next reports fare; see the script.
    func play(_ script: [String]) async throws {
        try await control(["script": script])
    }

    /// How the next heartbeats fare.
    func playPulse(_ script: [String]) async throws {
        try await control(["pulse": script])
    }

    func setMissing(_ identities: [BeaconIdentity]) async throws {
        try await control(["missing": identities])
    }

    private func control(_ body: some Encodable) async throws {
        let bytes = [UInt8](try JSONEncoder().encode(body))
        _ = try await HTTPConnection().send(HTTPRequest(.post, url: url + "/control", body: bytes))
    }
}
