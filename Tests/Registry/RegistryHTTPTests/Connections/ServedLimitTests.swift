import Beacons
import Foundation
import OperatingSystem
import Operations
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Synchronization
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Rate limits of the server")
struct ServedLimitTests {
    private static func options(_ limits: [RateLimits.Kind: Int], now: HandNanoseconds) -> ServerOptions {
        var rates = RateLimits()
        for (kind, count) in limits { rates[kind] = .rate(RequestRate(count, per: .seconds(60))) }
        return ServerOptions(
            limits: rates, proxies: TrustedProxies(["127.0.0.1"].compactMap { AddressRange($0) }), now: { now.value }
        )
    }

    private func from(_ address: String, _ arguments: [String]) -> [String] {
        ["--header", "X-Forwarded-For: \(address)"] + arguments
    }

    @Test("a client over its limit gets a time to wait, and is served after it")
    func address() async throws {
        let now = HandNanoseconds()
        try await LiveServer.run(Self.options([.address: 3], now: now)) { (server: LiveServer) async throws in
            let path = "http://127.0.0.1:\(server.port)/livez"
            for _ in 0..<3 { #expect(try await server.curl(from("192.0.2.1", [path])).status == 200) }
            let refused = try await server.curl(from("192.0.2.1", [path]))
            #expect(refused.status == 429 && refused.retryAfter == 20)
            // Unknown paths and calls without a token count as well.
            for path in ["nothing", "v1/bikes"] {
                let url = "http://127.0.0.1:\(server.port)/\(path)"
                #expect(try await server.curl(from("192.0.2.1", [url])).status == 429)
                #expect(try await server.curl(from("192.0.2.2", [url])).status != 429)
            }
            now.advance(by: .seconds(20))
            #expect(try await server.curl(from("192.0.2.1", [path])).status == 200)
        }
    }

    @Test("an IPv6 client cannot evade its limit with another address of its /64")
    func network() async throws {
        try await LiveServer.run(Self.options([.address: 1], now: HandNanoseconds())) {
            (server: LiveServer) async throws in
            let path = "http://127.0.0.1:\(server.port)/livez"
            #expect(try await server.curl(from("2001:db8::1", [path])).status == 200)
            #expect(try await server.curl(from("2001:db8::2", [path])).status == 429)
            #expect(try await server.curl(from("2001:db8:0:1::2", [path])).status == 200)
            // A /48 network gets sixteen times the limit of a /64.
            var statuses: [Int] = []
            for number in 2..<18 {
                statuses.append(try await server.curl(from("2001:db8:0:\(number)::1", [path])).status)
            }
            #expect(statuses == Array(repeating: 200, count: 14) + [429, 429])
            #expect(try await server.curl(from("2001:db8:1::1", [path])).status == 200)
        }
    }

    @Test(
        "checks of numbers are limited for an address, for its day, for its wider network, and for all together",
        arguments: [
            (RateLimits.Kind.checks, ["192.0.2.1", "192.0.2.1", "192.0.2.2"], [200, 429, 200]),
            (.dailyChecks, ["192.0.2.1", "192.0.2.1", "198.51.100.1"], [200, 429, 200]),
            (
                .dailyChecks, (1...101).map { "192.0.2.\($0)" } + ["192.1.0.1"],
                Array(repeating: 200, count: 100) + [429, 200]
            ),
            (.allChecks, ["192.0.2.1", "198.51.100.1"], [200, 429]),
        ])
    func checks(kind: RateLimits.Kind, addresses: [String], expected: [Int]) async throws {
        try await LiveServer.run(Self.options([kind: 1], now: HandNanoseconds())) { (server: LiveServer) async throws in
            for isPage in [true, false] where isPage || kind == .checks {
                var statuses: [Int] = []
                for address in addresses {
                    let field = isPage ? ["--data", "number=A1B2"] : ["--json", #"{"number":"A1B2"}"#]
                    let url = "http://127.0.0.1:\(server.port)" + (isPage ? "/check" : "/v1/checks")
                    // Another /16, so that the call is not limited by what the page has used.
                    let client = isPage ? address : address.replacing("192.0", with: "10.0")
                    statuses.append(try await server.curl(from(client, field + [url])).status)
                }
                #expect(statuses == expected)
            }
        }
    }

    @Test("a message to an owner counts as a check")
    func message() async throws {
        try await LiveServer.run(Self.options([.checks: 1], now: HandNanoseconds())) {
            (server: LiveServer) async throws in
            let base = "http://127.0.0.1:\(server.port)/check"
            #expect(try await server.curl(from("192.0.2.1", ["--data", "number=A1B2", base])).status == 200)
            let fields = ["--data", "number=A1B2&message=kept", base + "/message"]
            let refused = try await server.curl(from("192.0.2.1", fields))
            #expect(refused.status == 429 && refused.retryAfter == 60)
        }
    }

    @Test("whoever shares the address of somebody who is followed can block neither the message nor its text")
    func followed() async throws {
        let limits = Self.options([.messages: 1, .followed: 2], now: HandNanoseconds())
        try await LiveServer.run(limits) { (server: LiveServer) async throws in
            let owner = try await server.operations.createOwner().owner.id
            let beacon = try await server.operations.registerBike(Samples.bike, of: owner, once: nil).identity
            let sent = "uuid=\(beacon.uuid)&major=\(beacon.major)&minor=\(beacon.minor)"
            func send(_ fields: String, to path: String = "/followed/message") -> [String] {
                from("192.0.2.1", ["--data", fields, "http://127.0.0.1:\(server.port)\(path)"])
            }
            for _ in 1...3 {
                #expect(try await server.curl(send("message=")).status == 422)
                #expect(try await server.curl(send("message=x&uuid=x")).status == 422)
                _ = try await server.curl(send("code=x&message=x", to: "/found"))
            }
            for text in ["a", "b"] { #expect(try await server.curl(send("message=\(text)")).status == 303) }
            // All else is used up now, but not what is about this beacon.
            let refused = try await server.curl(send("message=help"))
            #expect(refused.status == 429 && refused.retryAfter == 30)
            for text in ["c", "d"] {
                #expect(try await server.curl(send("message=\(text)&\(sent)")).status == 303)
            }
            let page = try await BuiltProgram(path: "/usr/bin/curl").run(
                ["--silent", "--max-time", "30"] + send("message=kept-words&\(sent)"))
            #expect(page.output.contains("kept-words") && page.output.contains("Turn Wi-Fi off"))
            #expect(page.output.contains("value=\"\(beacon.minor)\""))
        }
    }

    @Test("another site spends nothing of what its visitors may do")
    func foreign() async throws {
        try await LiveServer.run(
            Self.options([.checks: 1, .messages: 1, .followed: 1, .finds: 1], now: HandNanoseconds())
        ) {
            (server: LiveServer) async throws in
            let requests = [
                ["--data", "number=A1B2", "/check"], ["--json", #"{"number":"A1B2"}"#, "/v1/checks"],
                ["--data", "code=X&message=x", "/found"], ["--data", "message=x", "/followed/message"],
                ["--json", #"{"identity":{"uuid":"\(UUID())","major":1,"minor":1}}"#, "/v1/finds"],
            ]
            for (number, request) in requests.enumerated() {
                let arguments = request.dropLast() + ["http://127.0.0.1:\(server.port)\(request[2])"]
                func status(_ more: String...) async throws -> Int {
                    try await server.curl(from("192.0.2.\(number)", more + arguments)).status
                }
                for _ in 1...3 { #expect(try await status("--header", "Sec-Fetch-Site: cross-site") == 403) }
                #expect(try await status("--header", "Sec-Fetch-Site: same-origin") != 429, "\(request)")
                #expect(try await status() == 429, "\(request)")
            }
        }
    }

    @Test("a token has one limit however the header field around it is written")
    func spellings() async throws {
        try await LiveServer.run(Self.options([.token: 2, .address: 2], now: HandNanoseconds())) {
            (server: LiveServer) async throws in
            let token = try await server.operations.createOwner().token
            var statuses: [Int] = []
            for spelling in ["Bearer ", "bEaReR ", "Bearer   ", "bearer  "] {
                let field = [
                    "--header", "Authorization: \(spelling)\(token)", "http://127.0.0.1:\(server.port)/v1/bikes",
                ]
                statuses.append(try await server.curl(from("192.0.2.1", field)).status)
            }
            #expect(statuses == [200, 200, 429, 429])
        }
    }

    @Test(
        "calls with which strangers create resources have separate limits",
        arguments: [
            (RateLimits.Kind.owners, "owners"), (.codes, "station/enrolment"), (.owners, "sign-up"),
            (.signIns, "sessions"),
        ]
    )
    func stricter(kind: RateLimits.Kind, path: String) async throws {
        try await LiveServer.run(Self.options([kind: 2], now: HandNanoseconds())) { (server: LiveServer) async throws in
            let url = "http://127.0.0.1:\(server.port)"
            let call = ["--request", "POST", "\(url)/v1/\(path)"]
            for _ in 0..<2 { #expect(try await server.curl(from("192.0.2.1", call)).status != 429) }
            #expect(try await server.curl(from("192.0.2.1", call)).status == 429)
            #expect(try await server.curl(from("192.0.2.2", call)).status != 429)
            #expect(try await server.curl(from("192.0.2.1", ["\(url)/livez"])).status == 200)
        }
    }

    @Test("a token has its own limit, whatever address it comes from")
    func token() async throws {
        try await LiveServer.run(Self.options([.token: 2, .address: 2], now: HandNanoseconds())) {
            (server: LiveServer) async throws in
            let url = "http://127.0.0.1:\(server.port)/v1/bikes"
            let tokens = [
                try await server.operations.createOwner().token, try await server.operations.createOwner().token,
            ]
            func get(_ token: String, _ address: String) async throws -> Int {
                try await server.curl(from(address, ["--oauth2-bearer", token, url])).status
            }
            for address in ["192.0.2.1", "192.0.2.2"] { #expect(try await get(tokens[0], address) == 200) }
            #expect(try await get(tokens[0], "192.0.2.3") == 429)
            #expect(try await get(tokens[1], "192.0.2.1") == 200)
        }
    }

    @Test("the challenge of an operator who is signed in is counted by the session: neighbours cannot use it up")
    func deskChallenge() async throws {
        let options = Self.options([.address: 1, .token: 2], now: HandNanoseconds())
        try await LiveServer.run(options, publicURL: "https://registry.example") { (server: LiveServer) async throws in
            let token = try await server.operations.createOperator(OperatorDraft(name: "Ada"), by: nil).token
            let secret = try await server.operations.openDesk(DeskSignIn(token: token)).secret
            let url = "http://127.0.0.1:\(server.port)/v1/desk/passkeys/challenge"
            func ask(_ secret: String?) async throws -> Int {
                let cookie = secret.map { ["--header", "Cookie: __Host-desk=\($0)"] } ?? []
                let fields = ["--json", "{}", "--header", "Sec-Fetch-Site: same-origin"]
                return try await server.curl(from("192.0.2.1", fields + cookie + [url])).status
            }
            #expect(try await ask(nil) == 201)
            #expect(try await ask(nil) == 429)
            for _ in 0..<2 { #expect(try await ask(secret) == 201) }
            #expect(try await ask(secret) == 429)
            // A made-up session is counted by its address.
            #expect(try await ask("fmb_desk_" + String(repeating: "A", count: 43)) == 429)
        }
    }

    @Test("wrong tokens are limited by address, and never block a valid token of a neighbour")
    func wrongTokens() async throws {
        try await LiveServer.run(Self.options([.wrongTokens: 2], now: HandNanoseconds())) {
            (server: LiveServer) async throws in
            let url = "http://127.0.0.1:\(server.port)/v1/bikes"
            let token = try await server.operations.createOwner().token
            func get(_ token: String) async throws -> Int {
                try await server.curl(from("192.0.2.1", ["--oauth2-bearer", token, url])).status
            }
            for number in 0..<2 { #expect(try await get("wrong\(number)") == 401) }
            for number in 2..<4 { #expect(try await get("wrong\(number)") == 429) }
            #expect(try await get(token) == 200)
        }
    }
}

/// A monotonic clock in nanoseconds that a test moves by hand.
final class HandNanoseconds: Sendable {
    private let nanoseconds = Atomic<Int64>(0)

    var value: Int64 { nanoseconds.load(ordering: .relaxed) }

    func advance(by duration: Duration) { nanoseconds.add(duration.nanoseconds, ordering: .relaxed) }
}
