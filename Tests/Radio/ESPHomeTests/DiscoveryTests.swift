import Foundation
import TestSupport
import Testing

@testable import ESPHome

@Suite("Finding ESPHome devices", .timeLimit(.minutes(10)))
struct DiscoveryTests {
    @Test("devices that python-zeroconf announces are found, with their addresses and whether they need a key")
    func found() async throws {
        // Other tests and machines may announce devices, too.
        let mark = UUID().uuidString.prefix(8).lowercased()
        let names = ["bar-\(mark)", "door-\(mark)"]
        let python = Repository.path(".build/venv/bin/python")
        let script = Repository.path("Tests/Radio/ESPHomeTests/Fixtures/announcer.py")
        let remedy = "run ‘scripts/prepare.sh tests’, which installs aioesphomeapi in .build/venv"
        let peers = [
            try PythonPeer(
                script,
                [names[0], "6053", "api_encryption=Noise_NNpsk0_25519_ChaChaPoly_SHA256", "friendly_name=Bar é"],
                interpreter: python, remedy: remedy),
            try PythonPeer(
                script, [names[1], "6054", "api_encryption_supported=Noise"], interpreter: python, remedy: remedy),
        ]
        let found = try await DeviceBrowser().search().filter { names.contains($0.name) }
        #expect(
            found == [
                FoundDevice(
                    name: names[0], address: "127.0.0.1", port: 6053, host: "\(names[0]).local", needsKey: true,
                    title: "Bar é"),
                FoundDevice(
                    name: names[1], address: "127.0.0.1", port: 6054, host: "\(names[1]).local", needsKey: false,
                    title: nil),
            ])
        let one = try #require(found.first)
        for text in ["127.0.0.1", "\(names[0]).local", "\(names[0].uppercased()).LOCAL:6053"] {
            #expect(one.isAt(try #require(ProxyAddress(text))), "\(text)")
        }
        for text in ["127.0.0.1:6054", "127.0.0.2", "bar"] { #expect(!one.isAt(try #require(ProxyAddress(text)))) }
        #expect("\(one.reachedAt)" == "127.0.0.1:6053")
        withExtendedLifetime(peers) {}
    }
}

/// What anybody in the network can send.
@Suite("Messages of multicast DNS")
struct DNSMessageTests {
    /// A response with these records, each a name, a type and data.
    private static func response(
        _ records: [([UInt8], UInt16, [UInt8])], flags: UInt16 = 0x8400, count: Int? = nil
    ) -> [UInt8] {
        func two(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
        var bytes: [UInt8] = [0, 0] + two(Int(flags))
        bytes += [0, 0]
        bytes += two(count ?? records.count)
        bytes += [0, 0, 0, 0]
        for (name, type, data) in records {
            bytes += name + two(Int(type))
            bytes += [0x80, 1, 0, 0, 0, 10]
            bytes += two(data.count) + data
        }
        return bytes
    }

    private static let service = DNSName("_esphomelib._tcp.local")
    private static let bar = DNSName("bar._esphomelib._tcp.local")
    private static let host = DNSName("bar.local")

    private static var whole: [UInt8] {
        response([
            // The data's name is a label and a pointer to the first name, at 12.
            (service.bytes, 12, [3] + Array("bar".utf8) + [0xC0, 12]),
            (bar.bytes, 33, [0, 0, 0, 0, 0x17, 0xA5] + host.bytes), (bar.bytes, 16, [3] + Array("a=b".utf8)),
            (host.bytes, 1, [192, 168, 1, 30]), (host.bytes, 28, Array(repeating: 0, count: 16)),
        ])
    }

    @Test("a response is read, with compressed names and without unknown records")
    func read() throws {
        let message = try #require(DNSMessage(Self.whole))
        #expect(
            message.records.map(\.data) == [
                .pointer(Self.bar), .service(port: 6053, host: Self.host), .texts(["a=b"]), .address("192.168.1.30"),
            ])
        var search = DeviceSearch()
        search.take(Self.whole)
        #expect(search.found.map(\.reachedAt) == [ProxyAddress(host: "192.168.1.30")])
        #expect(search.queries.count == 1, "only the first question is left")
        #expect(DNSName("BAR.local") == Self.host)
    }

    @Test(
        "names that loop, point forwards or are too long are refused",
        arguments: [
            [0xC0, 12], [1, 97, 0xC0, 12], [0xC0, 200], [0xC0], [64] + Array(repeating: 97, count: 64) + [0],
            [0x80, 0], [5, 97], [],
            Array(repeating: [63] + Array(repeating: 97, count: 63), count: 4).flatMap(\.self) + [0],
        ] as [[UInt8]])
    func names(name: [UInt8]) {
        #expect(DNSMessage(Self.response([(name, 12, Self.bar.bytes)])) == nil)
        #expect(DNSMessage(Self.response([(Self.service.bytes, 12, name)], count: 2)) == nil)
    }

    @Test("pointers that point to pointers are limited")
    func pointers() {
        // Unknown records whose data are pointers, each to the one before.
        var bytes = Self.response([], count: 1)
        let chain = (0..<100).flatMap { [UInt8(0xC0), UInt8(max(0, 21 + ($0 - 1) * 2))] }
        bytes += [0, 0, 99, 0, 1, 0, 0, 0, 0, 0, 200] + chain
        #expect(DNSMessage(bytes) != nil)
        bytes[7] = 2
        #expect(DNSMessage(bytes + [0xC0, 219, 0, 12, 0, 1, 0, 0, 0, 0, 0, 0]) == nil)
    }

    @Test(
        "data that does not fit its record is refused",
        arguments: [
            (1, [1, 2, 3]), (1, [1, 2, 3, 4, 5]), (33, [0, 0, 0]), (33, [0, 0, 0, 0, 0]), (16, [5, 97]), (12, []),
            (12, [3, 97]), (12, [0xC0]),
        ] as [(UInt16, [UInt8])])
    func data(type: UInt16, data: [UInt8]) {
        #expect(DNSMessage(Self.response([(Self.bar.bytes, type, data), (Self.bar.bytes, 99, [])])) == nil)
    }

    @Test("queries, errors and messages that are too long are no responses", arguments: [0, 0x8003, 0xFFFF, 0x0400])
    func kinds(flags: UInt16) {
        #expect(DNSMessage(Self.response([], flags: flags)) == nil)
        #expect(DNSMessage(Self.response([(Self.bar.bytes, 99, Array(repeating: 0, count: 9000))])) == nil)
        #expect(DNSMessage(Self.response([], count: 201)) == nil)
    }

    @Test("no message that was cut or changed traps", arguments: 0..<4 as Range<UInt64>)
    func changed(seed: UInt64) {
        for length in 0..<Self.whole.count { #expect(DNSMessage(Array(Self.whole[..<length])) == nil) }
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            var bytes = Self.whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            var search = DeviceSearch()
            search.take(bytes)
            _ = (search.found, search.queries)
        }
    }

    @Test("a flood of devices is limited, and so is what is asked about them")
    func flood() {
        var search = DeviceSearch()
        for number in 0..<1000 {
            let name = DNSName(["x\(number)"] + Self.service.labels).bytes
            let host = DNSName("h\(number).local").bytes
            search.take(Self.response([(Self.service.bytes, 12, name), (host, 1, [1, 2, 3, 4])]))
        }
        #expect(search.queries.count <= 101 && search.queries.allSatisfy { $0.count < 1472 })
        #expect(search.found.isEmpty)
    }

    @Test("a device whose address cannot be in the settings is left out")
    func unusable() {
        var search = DeviceSearch()
        let host = DNSName(["a b\n: x", "local"])
        search.take(
            Self.response([
                (Self.service.bytes, 12, Self.bar.bytes),
                (Self.bar.bytes, 33, [0, 0, 0, 0, 0x17, 0xA5] + host.bytes),
            ]))
        #expect(search.found.isEmpty)
        search.take(Self.response([(host.bytes, 1, [10, 0, 0, 1])]))
        #expect(search.found.map(\.reachedAt.host) == ["10.0.0.1"])
    }
}
