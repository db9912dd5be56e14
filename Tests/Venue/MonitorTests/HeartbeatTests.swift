import Beacons
import Logging
import Monitor
import RegistryAPI
import RegistryClient
import Scanning
import TestSupport
import Testing

@Suite("Heartbeat")
struct HeartbeatTests {
    private let registry: FakeRegistry
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws { registry = try FakeRegistry() }

    /// Sends heartbeats until the clock has slept this number of times.
    private func beat(times: Int, state: String = "scanning", silent: Int? = 1) async throws -> [Duration] {
        let clock = ImpatientClock(limit: times)
        let heartbeat = StationHeartbeat(
            version: "1.0", adapters: [.init(name: "hci0", state: state, silentSeconds: silent)])
        try await Heartbeat(
            registry: try registry.connect(), interval: .seconds(300), health: { heartbeat }, clock: clock,
            logger: logger
        ).run()
        return clock.sleeps
    }

    @Test("a station sends a heartbeat at once and then every few minutes, with jitter")
    func rhythm() async throws {
        let sleeps = try await beat(times: 5)
        #expect(try await registry.state().heartbeats.count == 5)
        #expect(sleeps.allSatisfy { $0 >= .seconds(270) && $0 <= .seconds(330) })
        #expect(Set(sleeps).count == 5)
    }

    @Test(
        "while no radio has heard anything, as in the first seconds, the registry learns each minute what has changed",
        arguments: [("starting", 1), ("scanning", nil)])
    func deaf(state: String, silent: Int?) async throws {
        #expect(
            try await beat(times: 3, state: state, silent: silent) == Array(repeating: .seconds(60), count: 3))
    }

    @Test("heartbeats are retried soon and then less often after an outage; after a refusal, at the usual interval")
    func outage() async throws {
        try await registry.playPulse(["503", "503", "503", "403"])
        let sleeps = try await beat(times: 5)
        #expect(sleeps[0] <= .seconds(5) && sleeps[1] > .seconds(4) && sleeps[2] > .seconds(9))
        #expect(sleeps[3] == .seconds(300))
        #expect(try await registry.state().heartbeats.count == 1)
    }

    @Test(
        "what the registry allows for displays is passed on; no permission and a revoked station end it, a fault does not"
    )
    func displays() async throws {
        try await registry.playPulse(["displays", "503", "403", "revoked", "displays", "ok"])
        let (terms, passesOn) = AsyncStream.makeStream(of: DisplayTerms?.self)
        let heartbeat = StationHeartbeat(version: "1.0", adapters: [])
        try await Heartbeat(
            registry: try registry.connect(), health: { heartbeat }, onReceipt: { passesOn.yield($0?.displays) },
            clock: ImpatientClock(limit: 6), logger: logger
        ).run()
        passesOn.finish()
        let allowed = DisplayTerms(station: "Café")
        #expect(await terms.reduce(into: []) { $0.append($1) } == [allowed, nil, allowed, nil])
    }

    @Test("the station learns for whom it listens")
    func partners() async throws {
        try await registry.playPulse(["partners"])
        let (names, passesOn) = AsyncStream.makeStream(of: [String]?.self)
        let heartbeat = StationHeartbeat(version: "1.0", adapters: [], partners: false)
        try await Heartbeat(
            registry: try registry.connect(), health: { heartbeat }, onReceipt: { passesOn.yield($0?.partners) },
            clock: ImpatientClock(limit: 2), logger: logger
        ).run()
        passesOn.finish()
        #expect(await names.reduce(into: []) { $0.append($1) } == [["Berlin", "Lyon"], nil])
        #expect(try await registry.state().heartbeats.first?.partners == false)
    }

    @Test("with more radios than the registry takes, those that do not listen are not left out")
    func manyRadios() {
        let radios = (0..<20).map { index in
            var radio = RadioHealth(adapter: "receiver\(index)")
            radio.state = index < 17 ? .scanning : .failed
            return radio
        }
        let heartbeat = StationHeartbeat(
            version: "1.0", radios: radios, listVersion: 0, now: ScanInstant(nanoseconds: 0))
        #expect(heartbeat.adapters.count == 16)
        #expect(heartbeat.adapters.prefix(3).map(\.name) == ["receiver17", "receiver18", "receiver19"])
    }

    @Test("a radio's health is sent in the form that the registry accepts")
    func health() throws {
        var radio = RadioHealth(adapter: "hci0")
        radio.state = .scanning
        radio.reports = 7
        radio.lastReport = ScanInstant(nanoseconds: 1_000_000_000)
        radio.lastError = "a\nb" + String(repeating: "x", count: 300)
        let now = ScanInstant(nanoseconds: 31_500_000_000)
        let heartbeat = StationHeartbeat(
            version: "1.0", radios: [radio, RadioHealth(adapter: "hci1")], listVersion: 0, now: now)
        #expect(heartbeat.listVersion == nil)
        let first = try #require(heartbeat.adapters.first)
        #expect(first.silentSeconds == 30 && first.state == "scanning" && first.reports == 7)
        #expect(first.lastError?.count == 200 && first.lastError?.hasPrefix("a bx") == true)
        #expect(heartbeat.adapters.last?.silentSeconds == nil && heartbeat.adapters.last?.state == "idle")
    }
}
