import Beacons
import Foundation
import HTTPClient
import MissingList
import RegistryAPI
import RegistryClient
import TestSupport
import Testing

/// The registry of `Fixtures/registry.py`: it can be cut off, and returns what it received.
struct FakeRegistry {
    struct State: Decodable {
        let visits: [String: Visit]
        let reports: Int
        let heartbeats: [StationHeartbeat]
        /// The tags in requests for the missing list.
        let questions: [String?]
    }

    let peer: PythonPeer

    init() throws {
        let script = try #require(Bundle.module.path(forResource: "registry", ofType: "py", inDirectory: "Fixtures"))
        peer = try PythonPeer(script)
    }

    var url: String { "http://127.0.0.1:\(peer.port)" }

    func connect(responseLimit: Int = 4 << 20) throws -> RegistryConnection {
        try RegistryConnection(
            url: url, token: "token", http: try HTTPConnection(HTTPConfiguration(responseLimit: responseLimit)))
    }

    func state() async throws -> State {
        let response = try await HTTPConnection().send(HTTPRequest(.get, url: url + "/state"))
        return try JSONDecoder().decode(State.self, from: Data(response.body))
    }

    /// Sets the outcomes of the next reports; see the script.
    func play(_ script: [String]) async throws {
        try await control(["script": script])
    }

    /// Deletes all visits.
    func forget() async throws {
        try await control(["visits": [String: String]()])
    }

    /// Sets the outcomes of the next heartbeats.
    func playPulse(_ script: [String]) async throws {
        try await control(["pulse": script])
    }

    /// Makes it an older registry, which ignores the coverage in heartbeats.
    func ignoreCoverage() async throws {
        try await control(["ignoresCoverage": true])
    }

    func setMissing(_ identities: [BeaconIdentity]) async throws {
        try await setList(MissingIdentities(version: ListVersion(number: 1, mark: 1), identities: identities))
    }

    /// Sets the missing list, the changes that lead to it, and a broken response to the next request.
    func setList(
        _ list: MissingIdentities, deltas: [(ListVersion, [UInt8])] = [], broken: [UInt8]? = nil
    ) async throws {
        struct Setting: Encodable {
            let tag: String
            let full: Data
            let deltas: [String: Data]
            let broken: Data?
        }
        let deltas = deltas.map { ("\"\($0)\"", Data($1)) }
        let setting = Setting(
            tag: "\"\(list.version)\"", full: Data(list.encoded), deltas: Dictionary(uniqueKeysWithValues: deltas),
            broken: broken.map { Data($0) }
        )
        try await control(["list": setting])
    }

    private func control(_ body: some Encodable) async throws {
        let bytes = [UInt8](try JSONEncoder().encode(body))
        _ = try await HTTPConnection().send(HTTPRequest(.post, url: url + "/control", body: bytes))
    }
}
