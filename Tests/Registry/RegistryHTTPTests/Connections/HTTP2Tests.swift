import OperatingSystem
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("HTTP/2")
struct HTTP2Tests {
    /// Serves over TLS while a test runs.
    private static func serve(
        _ timeouts: ConnectionTimeouts = .patient, connectionsPerClient: Int = .max, proxies: [String] = [],
        photos: PhotoLibrary? = nil,
        _ test: @escaping @Sendable (LiveServer, _ certificate: String, ServerOptions) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let pair = try await TestCertificate.make("served", in: folder)
        let options = ServerOptions(
            proxies: TrustedProxies(proxies.compactMap { AddressRange($0) }), timeouts: timeouts,
            connectionsPerClient: connectionsPerClient,
            tls: try TLSFiles(certificate: pair.certificate, key: pair.key))
        try await LiveServer.run(options, photos: photos) { (server: LiveServer) async throws in
            try await test(server, pair.certificate, options)
        }
    }

    @Test("curl gets HTTP/2 or HTTP/1.1, as it asks for", arguments: [("--http2", "2"), ("--http1.1", "1.1")])
    func negotiated(option: String, version: String) async throws {
        try await Self.serve { server, certificate, _ in
            let url = "https://localhost:\(server.port)"
            let result = try await BuiltProgram(path: "/usr/bin/curl").run([
                "--silent", option, "--cacert", certificate, "--write-out", "%{http_version} %{http_code}\n",
                "--output", "/dev/null", "\(url)/livez", "--output", "/dev/null", "\(url)/v1/bikes",
            ])
            #expect(result.output == "\(version) 200\n\(version) 401\n")
        }
    }

    @Test(
        "a connection whose client is too slow ends",
        arguments: [
            ("silent-handshake", SlowClientTests.Part.header, LiveServer.StreamEncounter(ended: true)),
            ("silent", .header, .init(ended: true)),
            ("idle", .idle, .init(200, goaway: 0, ended: true)),
            ("unread", .write, .init(ended: true)),
        ])
    func slow(client: String, part: SlowClientTests.Part, encounter: LiveServer.StreamEncounter) async throws {
        try await Self.serve(SlowClientTests.timeouts(short: part)) { server, _, _ in
            let met = try await server.meetHTTP2(client)
            #expect(met == encounter)
        }
    }

    @Test("a slow body is refused, and a response that is not read is reset, while the connection continues")
    func slowStreams() async throws {
        try await Self.serve(SlowClientTests.timeouts(short: .body)) { server, _, _ in
            let met = try await server.meetHTTP2("slow-body")
            #expect(met.status == 408 && met.problem == "urn:findmybike:problem:too-slow")
            #expect(!met.ended && met.goaway == nil)
        }
        try await Self.serve(SlowClientTests.timeouts(short: .idle)) { server, _, _ in
            let met = try await server.meetHTTP2("no-window")
            #expect(met.reset == 8)  // CANCEL
        }
    }

    @Test(
        "a header that is too large or invalid is refused with a problem",
        arguments: [
            ("headers", ["1", "9000"], 431, "header-too-large"), ("headers", ["120", "10"], 431, "header-too-large"),
            ("odd-header", [], 400, "malformed-request"),
        ])
    func header(client: String, arguments: [String], status: Int, problem: String) async throws {
        try await Self.serve { server, _, _ in
            let met = try await server.meetHTTP2(client, arguments)
            #expect(met == .init(status, problem: problem))
        }
    }

    @Test(
        "floods end the connection",
        arguments: [
            ("headers", ["6", "7000"], nil), ("continuation", [], 11), ("rapid-reset", [], 11), ("pings", [], 11),
            ("made-reset", [], nil),
        ] as [(String, [String], Int?)])
    func flood(client: String, arguments: [String], goaway: Int?) async throws {
        try await Self.serve { server, _, _ in
            let met = try await server.meetHTTP2(client, arguments)
            #expect(met.ended)
            // ENHANCE_YOUR_CALM, unless the connection was reset while the client was still sending.
            if let goaway { #expect(met.goaway == nil || met.goaway == goaway) }
        }
    }

    @Test("the streams of a connection are limited")
    func many() async throws {
        try await Self.serve { server, _, _ in
            let met = try await server.meetHTTP2("many")
            #expect(met.status == HTTP2Channel.concurrentStreams)
            #expect(met.reset != nil || met.goaway != nil)
        }
    }

    @Test("the streams of a client are limited like connections, and a refused one can be sent again")
    func crowd() async throws {
        try await Self.serve(connectionsPerClient: 3) { server, _, _ in
            let met = try await server.meetHTTP2("crowd", ["3"])
            #expect(met == .init(200, reset: 7))  // REFUSED_STREAM
        }
    }

    @Test("a stream's seat is free again when nothing refers to it, and all seats together are limited")
    func seats() {
        let proxies = TrustedProxies(["10.0.0.0/8"].compactMap { AddressRange($0) })
        let seats = StreamSeats(maximum: 3, perClient: 2, proxies: proxies)
        let client = NetworkAddress("192.0.2.1")
        var taken = [seats.enter(client), seats.enter(client)]
        #expect(taken.allSatisfy { $0 != nil })
        #expect(seats.enter(client) == nil)
        taken.removeLast()
        taken.append(seats.enter(client))
        taken.append(seats.enter(NetworkAddress("10.0.0.1")))
        #expect(taken.allSatisfy { $0 != nil })
        #expect(seats.enter(NetworkAddress("10.0.0.1")) == nil)
        taken.removeAll()
        #expect(seats.enter(client) != nil)
    }

    @Test("a picture whose client reads nothing costs two pieces of it, however many ask for it")
    func pictures() async throws {
        let pictures = MemoryPhotoStore()
        let library = PhotoLibrary(pictures: pictures, converter: SampleConverter(padding: 1 << 20))
        try await Self.serve(photos: library) { server, _, _ in
            let operations = server.operations
            let owner = try await operations.createOwner(OwnerDraft())
            let bike = try await operations.store.registerBike(
                NewBike(
                    id: BikeID(high: 1, low: 1), owner: owner.owner.id, details: Samples.bike,
                    identity: .given(Samples.identity(1)), created: operations.clock.now), once: nil)
            let act = OwnerAct(owner: owner.owner.id, time: operations.clock.now, entropy: .seeded(1))
            let photo = try await operations.addPhoto(JPEGSample().bytes, to: bike.id, by: act, once: nil)
            let met = try await server.meetHTTP2(
                "pictures", ["60", "/v1/bikes/\(bike.id)/photos/\(photo.id)", owner.token])
            #expect(met == .init(200))
            let whole = photo.bytes
            #expect(pictures.read > 1 << 20)
            #expect(pictures.read <= whole + 59 * 2 * responsePiece)
        }
    }

    @Test("a live trail ends when its stream is reset, which makes room for another")
    func live() async throws {
        try await Self.serve { server, _, _ in
            let met = try await server.meetHTTP2("follow")
            #expect(met == .init(200, problem: "too-many-streams"))
        }
    }

    @Test("at shutdown a request in progress is completed")
    func drain() async throws {
        try await Self.serve { server, _, options in
            let encounter = Task { try await server.meetHTTP2("drained") }
            try await eventually("its request is in progress", by: encounter) {
                options.metrics.text(nil).contains(#"in_progress{method="POST",route="/v1/station/enrolment"} 1"#)
            }
            await server.drain()
            let met = try await encounter.value
            #expect(met.status == 403 && met.problem == "urn:findmybike:problem:code-unusable" && met.ended)
        }
    }
}
