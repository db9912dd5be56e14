import Beacons
import Foundation
import HTTPClient
import Logging
import RegistryAPI
import Scanning
import ServiceLifecycle
import StationStatus
import Synchronization
import TestSupport
import Testing

@testable import StatusSocket

/// The people responsible for a venue must see the monitor's state, and only they may decide for the venue.
@Suite("The status server", .timeLimit(.minutes(20)))
struct StatusServerTests {
    private let folder: TemporaryFolder
    private let source = ScriptedSource()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws {
        folder = try TemporaryFolder()
    }

    private var socket: String { folder.file("status.sock") }

    /// Runs the server while the body runs.
    private func serving<Value: Sendable>(
        _ address: StatusServer.Address, displays: (any DisplayDesk)? = nil, _ body: (UInt16?) async throws -> Value
    ) async throws -> Value {
        let (listening, listens) = AsyncStream.makeStream(of: UInt16?.self)
        let server = StatusServer(address, source: source, displays: displays, logger: logger) { listens.yield($0) }
        let task = Task { try await server.run() }
        var ports = listening.makeAsyncIterator()
        let port = await ports.next()
        let value = try await body(port ?? nil)
        task.cancel()
        try await task.value
        return value
    }

    @Test("the status is served on a socket for owner and group, which is removed with the server")
    func status() async throws {
        try await serving(.socket(path: socket)) { _ in
            let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o660)
            let client = try StatusClient(socket: socket)
            #expect(try await client.report() == source.status)
            #expect(try await client.pending().map(\.id) == ["one", "two"])
        }
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test("the end of the program is no fault of the server", arguments: [true, false])
    func stopped(isGraceful: Bool) async throws {
        let warnings = LogLines()
        // Which of the server's tasks ends first, with what error, differs.
        for _ in 1...50 {
            let (listening, listens) = AsyncStream.makeStream(of: Void.self)
            let server = StatusServer(.socket(path: socket), source: source, logger: warnings.logger(.warning)) { _ in
                listens.yield()
            }
            let group = ServiceGroup(services: [server], logger: logger)
            let task = Task { try await group.run() }
            for await _ in listening { break }
            if isGraceful { await group.triggerGracefulShutdown() } else { task.cancel() }
            try await task.value
        }
        #expect(warnings.all == [])
    }

    @Test("the venue's decisions are accepted, and one for an unknown visit is refused")
    func answers() async throws {
        try await serving(.socket(path: socket)) { _ in
            let client = try StatusClient(socket: socket)
            try await client.answer("one", isAgreed: true)
            try await client.answer("two", isAgreed: false)
            let refusal = await #expect(throws: StatusClient.Refusal.self) {
                try await client.answer("three", isAgreed: true)
            }
            #expect(refusal?.status == 404)
            #expect(source.answers.withLock(\.self) == ["one": true, "two": false])
        }
    }

    @Test("staff's answer to an alarm is accepted, and refused if there is no alarm")
    func staffAnswers() async throws {
        try await serving(.socket(path: socket)) { _ in
            let client = try StatusClient(socket: socket)
            for isSeen in [true, false] {
                try await client.answer("alarmed", isSeen: isSeen)
                #expect(source.answers.withLock(\.self) == ["alarmed": isSeen])
            }
            let refusal = await #expect(throws: StatusClient.Refusal.self) {
                try await client.answer("one", isSeen: true)
            }
            #expect(refusal?.status == 404)
            #expect(refusal?.description == "No alarm for one.")
        }
    }

    @Test("displays are managed on the socket, and only if the monitor serves some")
    func displays() async throws {
        try await serving(.socket(path: socket), displays: ScriptedDisplays()) { _ in
            let client = try StatusClient(socket: socket)
            #expect(try await client.addDisplay(DisplayDraft(name: "Counter")).code == "Counter")
            let display = try #require(try await client.displays().first)
            try await client.revokeDisplay(display.id)
            let unknown = await #expect(throws: StatusClient.Refusal.self) {
                try await client.revokeDisplay(DisplayID(high: 9, low: 9))
            }
            #expect(unknown?.status == 404)
            let refusal = await #expect(throws: StatusClient.Refusal.self) {
                _ = try await client.addDisplay(DisplayDraft(name: nil))
            }
            #expect(refusal?.status == 403 && refusal?.description == DisplayRefusal.notAllowed.description)
            let endless = await #expect(throws: StatusClient.Refusal.self) {
                _ = try await client.addDisplay(DisplayDraft(name: String(repeating: "x", count: 200_000)))
            }
            #expect(endless?.status == 413)
        }
        try await serving(.socket(path: socket)) { _ in
            let refusal = await #expect(throws: StatusClient.Refusal.self) {
                _ = try await StatusClient(socket: socket).displays()
            }
            #expect(refusal?.status == 404 && refusal?.description.contains("display.listen") == true)
        }
        try await serving(.loopback(port: 0), displays: ScriptedDisplays()) { port in
            let url = "http://127.0.0.1:\(try #require(port))/displays"
            #expect(try await HTTPConnection().send(HTTPRequest(.get, url: url)).status == 403)
            #expect(try await HTTPConnection().send(HTTPRequest(.post, url: url)).status == 403)
        }
    }

    @Test("the loopback port is read-only, and refuses pages under another host name")
    func loopback() async throws {
        try await serving(.loopback(port: 0)) { port in
            let url = "http://127.0.0.1:\(try #require(port))"
            let http = try HTTPConnection()
            #expect(try await http.send(HTTPRequest(.get, url: url + "/status")).status == 200)
            #expect(try await http.send(HTTPRequest(.post, url: url + "/pending/one/confirm")).status == 403)
            #expect(try await http.send(HTTPRequest(.post, url: url + "/alarms/alarmed/seen")).status == 403)
            #expect(try await http.send(HTTPRequest(.get, url: url + "/nothing")).status == 404)
            let foreign = HTTPRequest(.get, url: url + "/status", headers: [("Host", "evil.example")])
            #expect(try await http.send(foreign).status == 403)
            #expect(source.answers.withLock(\.self).isEmpty)
        }
    }

    @Test("unknown values from a newer monitor are read and kept")
    func newerWords() throws {
        var status = source.status
        status.reporting.pause = StatusWord(rawValue: "solarFlare")
        status.outbox.tally[StatusWord(rawValue: "composted")] = 2
        let read = try JSONDecoder().decode(StatusReport.self, from: try JSONEncoder().encode(status))
        #expect(read == status)
        #expect(read.reporting.pause?.known == nil)
        #expect(read.outbox.tally[StatusWord(.merged)] == 3)
    }

    @Test("metrics use the Prometheus format")
    func metrics() async throws {
        try await serving(.socket(path: socket)) { _ in
            let http = try HTTPConnection(HTTPConfiguration(unixSocket: socket))
            let response = try await http.send(HTTPRequest(.get, url: "http://localhost/metrics"))
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(response[header: "content-type"] == "text/plain; version=0.0.4")
            #expect(text.contains("findmybike_monitor_outbox_waiting 7\n"))
            #expect(text.contains("findmybike_monitor_outbox_events_total{reason=\"merged\"} 3\n"))
            #expect(text.contains("findmybike_monitor_radio_scanning{adapter=\"hci\\\"0\"} 1\n"))
            #expect(text.contains("findmybike_monitor_reporting_paused{reason=\"unreachable\"} 1\n"))
            let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(samples.allSatisfy { $0.wholeMatch(of: /findmybike_monitor_[a-z_]+(\{.*\})? -?[0-9.e+-]+/) != nil })
        }
    }

    @Test("the alert rules name metrics that the monitor serves, and reasons that it counts")
    func rules() throws {
        var status = source.status
        status.radios[0].lastReportAge = 3
        let served = StatusMetrics(status).text
        let rules = try String(
            contentsOfFile: Repository.path("config/prometheus/findmybike.rules.yaml"), encoding: .utf8)
        let names = Set(rules.matches(of: #/findmybike_monitor_[a-z_]+/#).map { String(rules[$0.range]) })
        #expect(names.count > 3)
        for name in names { #expect(served.contains("# TYPE \(name) "), "\(name)") }
        let losses = try #require(rules.firstMatch(of: #/reason=~"(.*?)"/#)).output.1.split(separator: "|")
        for loss in losses.map({ $0.dropLast(2) }) {
            #expect(OutboxTally.allCases.contains { $0.rawValue.hasPrefix(loss) }, "\(loss)")
        }
    }

    @Test("events are sent as they happen")
    func events() async throws {
        try await serving(.loopback(port: 0)) { port in
            let curl = try StartedProgram(
                BuiltProgram(path: "/usr/bin/curl"),
                ["--silent", "--no-buffer", "http://localhost:\(try #require(port))/events"])
            #expect(await curl.line(containing: ": events") != nil)
            source.send(StatusEvent(kind: "visit-began", details: ["visit": "one"]))
            #expect(await curl.line(containing: "event: visit-began") != nil)
            #expect(await curl.line(containing: #"data: {"visit":"one"}"#) != nil)
            curl.interrupt()
            _ = await curl.end()
        }
    }

    @Test("a socket that a killed monitor left behind is replaced; other files are never removed")
    func leftBehind() async throws {
        // Bound but not listening, as after SIGKILL.
        let script = "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
        _ = try await BuiltProgram(path: "/usr/bin/python3").run(["-c", script, socket])
        #expect(FileManager.default.fileExists(atPath: socket))
        try await serving(.socket(path: socket)) { _ in
            let client = try StatusClient(socket: socket)
            #expect(try await client.report() == source.status)
            let second = #expect(throws: SocketFile.Failure.self) { try SocketFile.makeWay(socket) }
            #expect(second?.description.contains("another monitor") == true)
        }
        let file = try folder.write("precious", to: "file")
        #expect(throws: SocketFile.Failure.self) { try SocketFile.makeWay(file) }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
        let missing = #expect(throws: SocketFile.Failure.self) { try SocketFile.makeWay("/nowhere/status.sock") }
        #expect(missing?.description.contains("/nowhere") == true)
    }
}

/// A monitor with a fixed status.
private final class ScriptedSource: StatusSource {
    let answers = Mutex<[String: Bool]>([:])
    private let listeners = Mutex<[AsyncStream<StatusEvent>.Continuation]>([])

    var status: StatusReport {
        var status = StatusReport()
        status.version = "1.0.0"
        status.outbox.waiting = 7
        status.outbox.tally = [StatusWord(.merged): 3]
        status.reporting.pause = StatusWord(.unreachable)
        status.radios = [StatusReport.Radio(adapter: "hci\"0", state: .scanning)]
        status.list.age = 12.5
        return status
    }

    func report() async throws -> StatusReport { status }

    func pending() async throws -> [PendingVisit] {
        ["one", "two"].map {
            PendingVisit(
                id: $0, beacon: "b", firstSeen: "f", lastSeen: "l", frames: 3, isPresent: true, proximity: .near)
        }
    }

    func answer(_ visit: String, isAgreed: Bool) async throws -> Bool {
        guard ["one", "two"].contains(visit) else { return false }
        answers.withLock { $0[visit] = isAgreed }
        return true
    }

    func answer(_ visit: String, isSeen: Bool) async throws -> Bool {
        guard visit == "alarmed" else { return false }
        answers.withLock { $0[visit] = isSeen }
        return true
    }

    func events() -> AsyncStream<StatusEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: StatusEvent.self)
        listeners.withLock { $0.append(continuation) }
        return stream
    }

    func send(_ event: StatusEvent) {
        for listener in listeners.withLock(\.self) { listener.yield(event) }
    }
}

/// One display; a code without a name is refused.
private struct ScriptedDisplays: DisplayDesk {
    private static let id = DisplayID(high: 1, low: 1)
    private static let time = Timestamp(milliseconds: 0)

    func add(name: String?) async throws(DisplayRefusal) -> DisplayCode {
        guard let name else { throw .notAllowed }
        return DisplayCode(display: Self.id, code: name, expires: Self.time, link: nil)
    }

    func displays() async -> [VenueDisplay] {
        [VenueDisplay(id: Self.id, name: "Counter", created: Self.time, expires: Self.time)]
    }

    func revoke(_ id: DisplayID) async throws(DisplayRefusal) -> Bool { id == Self.id }
}
