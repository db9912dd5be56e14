import OperatingSystem
import Operations
import RegistryAPI
import RegistryRules
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Slow and invalid clients")
struct SlowClientTests {
    enum Part: CaseIterable {
        case header, body, idle, write
    }

    static func timeouts(short part: Part) -> ConnectionTimeouts {
        var timeouts = ConnectionTimeouts.patient
        switch part {
        case .header: timeouts.header = .milliseconds(300)
        case .body: timeouts.body = .milliseconds(300)
        case .idle: timeouts.idle = .milliseconds(300)
        case .write: timeouts.write = .milliseconds(300)
        }
        return timeouts
    }

    @Test(
        "a client that is too slow is disconnected",
        arguments: [
            ("slow-header", .header, 0, nil), ("silent", .header, 0, nil), ("idle", .idle, 200, nil),
            ("slow-body", .body, 408, "urn:findmybike:problem:too-slow"),
            ("unread", .write, 0, nil),
        ] as [(String, Part, Int, String?)]
    )
    func slow(client: String, part: Part, status: Int, problem: String?) async throws {
        try await LiveServer.run(ServerOptions(timeouts: Self.timeouts(short: part))) { server in
            let encounter: LiveServer.Encounter = try await server.meet(client)
            #expect(encounter == .init(status: status, problem: problem, ended: true))
        }
    }

    @Test(
        "invalid HTTP is refused with a problem",
        arguments: [
            ("huge-header", [], 431, "header-too-large"), ("long-url", [], 431, "header-too-large"),
            ("request", [#"nonsense\r\n\r\n"#], 400, "malformed-request"),
            ("request", [#"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n"#], 400, "malformed-request"),
            ("request", [#"GET / HTTP/1.1\r\nHost: a\r\nbad header: x\r\n\r\n"#], 400, "malformed-request"),
            ("request", [#"GET / HTTP/1.1\r\nHost: a\r\nIf-Match: \xcc\x81\r\n\r\n"#], 400, "malformed-request"),
            (
                "request", [#"GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \xcc\x81\r\n\r\n"#], 400,
                "malformed-request"
            ),
        ]
    )
    func strange(client: String, arguments: [String], status: Int, problem: String) async throws {
        try await LiveServer.run(ServerOptions(timeouts: .patient)) { server in
            let encounter: LiveServer.Encounter = try await server.meet(client, arguments)
            #expect(
                encounter == .init(status: status, problem: "urn:findmybike:problem:\(problem)", ended: true)
            )
        }
    }

    @Test("a request whose body comes after its token was revoked does nothing")
    func paused() async throws {
        try await LiveServer.run(ServerOptions(timeouts: .patient)) { server in
            let operations = server.operations
            let created = try await operations.createOperator(OperatorDraft(name: "a"), by: nil)
            let other = try await operations.createOperator(OperatorDraft(name: "b"), by: nil)
            let encounter: LiveServer.Encounter = try await server.meet(
                "paused",
                [
                    "/v1/operators", created.token, #"{"name":"backdoor"}"#, other.token,
                    "/v1/operators/\(created.details.id)",
                ])
            #expect(encounter == .init(status: 401, problem: "urn:findmybike:problem:unauthenticated", ended: true))
        }
    }

    @Test("connections per client are limited, except for a trusted proxy")
    func crowd() async throws {
        struct Outcome: Decodable, Equatable {
            let served: Bool
            let refused: Bool
            let again: Bool
        }
        try await LiveServer.run(ServerOptions(timeouts: .patient, connectionsPerClient: 3)) { server in
            let outcome: Outcome = try await server.meet("crowd", ["3"])
            #expect(outcome == Outcome(served: true, refused: true, again: true))
        }
        let proxies = TrustedProxies(["127.0.0.0/8"].compactMap { AddressRange($0) })
        let clients = ClientConnections(maximum: 1, proxies: proxies)
        #expect(clients.client(NetworkAddress("127.0.0.1")) == nil)
        #expect(clients.client(NetworkAddress("2001:db8::1")) == clients.client(NetworkAddress("2001:db8::2")))
    }

    @Test("at shutdown a request in progress is completed, and no new one is accepted")
    func drain() async throws {
        let options = ServerOptions(timeouts: .patient)
        try await LiveServer.run(options) { (server: LiveServer) async throws in
            let folder = try TemporaryFolder()
            let encounter = Task {
                try await server.meet("drained", [folder.file("draining")]) as LiveServer.Encounter
            }
            try await eventually("its request is in progress", by: encounter) {
                options.metrics.text(nil).contains(#"in_progress{method="POST",route="/v1/station/enrolment"} 1"#)
            }
            await server.drain()
            _ = try folder.write("", to: "draining")
            let met = try await encounter.value
            #expect(met == .init(status: 403, problem: "urn:findmybike:problem:code-unusable", ended: true))
        }
    }

    private let timeouts = ConnectionTimeouts(
        header: .nanoseconds(10), body: .nanoseconds(20), idle: .nanoseconds(30), write: .nanoseconds(5)
    )

    @Test("no deadline runs while the client waits for its response")
    func waiting() {
        var phase = ConnectionPhase(timeouts, at: 0)
        #expect(phase.deadline?.time == 10)
        phase.headerRead(at: 8)
        #expect(phase.deadline?.time == 18)
        #expect(phase.deadline?.expiry == .body)
        phase.bodyRead(at: 9)
        #expect(phase.deadline == nil)
        phase.answered(at: 1000)
        phase.sent(at: 1000)
        #expect(phase.deadline?.time == 1030)
        #expect(phase.deadline?.expiry == .header)
    }

    @Test("a response sent before the end of the body does not stop the deadline of the body")
    func earlyAnswer() {
        var phase = ConnectionPhase(timeouts, at: 0)
        phase.headerRead(at: 0)
        phase.answered(at: 1)
        phase.sent(at: 1)
        #expect(phase.deadline?.time == 10)
        phase.bodyRead(at: 9)
        #expect(phase.deadline?.time == 39)
    }

    @Test("a body must make progress in each half of its time, and a long one has more time")
    func stalling() {
        var phase = ConnectionPhase(timeouts, at: 0)
        phase.headerRead(at: 0)
        phase.bodyReceived(ConnectionTimeouts.progress - 1, at: 5)
        #expect(phase.deadline?.time == 10)
        phase.bodyReceived(1, at: 9)
        #expect(phase.deadline?.time == 19)
        phase.bodyReceived(ConnectionTimeouts.progress, at: 18)
        #expect(phase.deadline?.time == 20, "its whole time is over")
        phase = ConnectionPhase(timeouts, at: 0)
        phase.headerRead(announcing: 1 << 20, at: 0)
        #expect(phase.deadline?.time == 10)
        for time in 1...100 as ClosedRange<Int64> { phase.bodyReceived(ConnectionTimeouts.progress, at: time) }
        #expect(phase.deadline?.time == 110)
        phase.bodyReceived(ConnectionTimeouts.progress, at: 63_999_999_999)
        #expect(phase.deadline?.time == 64_000_000_009)
        phase.bodyReceived(ConnectionTimeouts.progress, at: 64_000_000_015)
        #expect(phase.deadline?.time == 64_000_000_020, "a second for each 16 KiB")
        var greedy = ConnectionPhase(timeouts, at: 0)
        greedy.headerRead(announcing: .max, at: 0)
        for length in [Int.min, -1] { greedy.headerRead(announcing: length, at: 0) }
        #expect(greedy.deadline?.time == 10)
    }

    @Test("a slow body is refused only if no other response is due, or has begun")
    func pipelined() {
        var phase = ConnectionPhase(timeouts, at: 0)
        phase.headerRead(at: 0)
        #expect(phase.isRefusable)
        phase.bodyRead(at: 0)
        phase.headerRead(at: 1)
        #expect(!phase.isRefusable, "the first request waits for its response")
        phase.beganAnswer()
        phase.answered(at: 2)
        #expect(phase.isRefusable)
        phase.beganAnswer()
        #expect(!phase.isRefusable, "its own response has begun")
    }

    @Test("the kernel detects a client that vanished, even while it waits")
    func vanished() async throws {
        try await LiveServer.run(ServerOptions(timeouts: .patient)) { server in
            let timers: [String] = try await server.meet("keep-alive")
            #expect(timers.contains { $0.hasPrefix("02:") }, "no keep-alive timer in \(timers)")
        }
    }

    @Test("a response that the client does not read has a deadline, from when the buffers are full")
    func unread() {
        var phase = ConnectionPhase(timeouts, at: 0)
        phase.headerRead(at: 0)
        phase.bodyRead(at: 0)
        phase.becameWritable(false, at: 3)
        phase.becameWritable(false, at: 6)
        #expect(phase.deadline?.time == 8)
        #expect(phase.deadline?.expiry == .write)
        phase.becameWritable(true, at: 7)
        #expect(phase.deadline == nil)
    }

    @Test("the time for a response begins again whenever the client takes more, and ends when it has all")
    func reading() {
        var phase = ConnectionPhase(timeouts, at: 0)
        phase.headerRead(at: 0)
        phase.bodyRead(at: 0)
        phase.becameWritable(false, at: 1)
        phase.answered(at: 1)
        #expect(phase.deadline?.time == 6 && phase.deadline?.expiry == .write)
        phase.tookMore(at: 5)
        #expect(phase.deadline?.time == 10)
        phase.becameWritable(true, at: 9)
        #expect(phase.deadline?.time == 14, "the end is still in the buffers, and the idle time does not run")
        phase.tookMore(at: 100)
        phase.sent(at: 104)
        #expect(phase.deadline?.time == 134 && phase.deadline?.expiry == .header)
        phase.tookMore(at: 120)
        #expect(phase.deadline?.time == 134)
    }

    @Test("a client that reads slowly but steadily gets all of a response, however long that takes")
    func steady() async throws {
        // Much shorter than the 20 seconds and more that the client takes, but longer than a pause on a busy machine.
        var timeouts = ConnectionTimeouts.patient
        timeouts.write = .seconds(5)
        try await LiveServer.run(ServerOptions(timeouts: timeouts)) { server in
            let served: Int = try await server.meet("steady", ["24"])
            #expect(served == 24)
        }
    }
}
