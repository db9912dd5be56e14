import Beacons
import Foundation
import Scanning
import TestSupport
import Testing

@testable import ESPHome

/// A report as a proxy forwards it, for comparison.
struct Forwarded: Hashable, Codable, CustomStringConvertible {
    let address: UInt64
    let kind: UInt8
    let rssi: Int
    let data: [UInt8]

    var line: String {
        let digits = data.map { $0.hexadecimal(uppercase: false) }.joined()
        return "\(String(address, radix: 16)) \(String(kind, radix: 16)) \(rssi) \(digits)"
    }

    var description: String { line }
}

extension AdvertisementBatch {
    var forwarded: [Forwarded] {
        advertisements.map {
            Forwarded(
                address: $0.address.value, kind: $0.addressKind.rawValue, rssi: $0.rssi.map(Int.init) ?? 127,
                data: Array(bytes[$0.data]))
        }
    }
}

/// A proxy made of aioesphomeapi's messages, in Python: see Fixtures/proxy.py.
final class ProxyPeer: Sendable {
    static let key = "QRTIErOb/fcE9Ukd/5qA3RGYMn0Y+p06U58SCtOXvPc="
    private static let remedy = "run ‘scripts/prepare.sh tests’, which installs aioesphomeapi in .build/venv"

    let port: Int
    private let folder: TemporaryFolder
    private let peer: PythonPeer

    init(
        _ adverts: [Forwarded] = ProxyPeer.real, key: String? = nil, fault: String = "", most: Int = 1,
        _ options: [String] = []
    ) throws {
        folder = try TemporaryFolder()
        let file = "\(folder.path)/adverts.txt"
        try adverts.map { $0.line + "\n" }.joined().write(toFile: file, atomically: true, encoding: .utf8)
        var arguments = [file, "--fault", fault, "--most", "\(most)"] + options
        if let key { arguments += ["--key", key] }
        peer = try PythonPeer(
            try Self.script("proxy"), arguments, interpreter: Self.python, remedy: Self.remedy)
        port = peer.port
    }

    func kill() { peer.kill() }

    func scanner(
        key: String? = nil, takesBack: Bool = false, clock: any ScanClock = BootClock()
    ) throws -> ESPHomeScanner {
        try Self.scanner(port: port, key: key, takesBack: takesBack, clock: clock)
    }

    static func scanner(
        host: String = "127.0.0.1", port: Int, key: String? = nil, takesBack: Bool = false,
        clock: any ScanClock = BootClock()
    ) throws -> ESPHomeScanner {
        let key = try key.map { try #require(ProxyKey($0)) }
        let address = ProxyAddress(host: host, port: UInt16(clamping: port))
        return ESPHomeScanner(
            .init(name: "bar", address: address, key: key, takesBack: takesBack), clock: clock, random: { 0.5 })
    }

    /// What bleak-esphome hears from the same proxy: see Fixtures/listener.py.
    func heardByOthers(_ count: Int, key: String? = nil) async throws -> OtherListener {
        let result = try await BuiltProgram(path: Self.python).run(
            [try Self.script("listener"), "\(port)", key ?? "-", "\(count)"])
        #expect(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(OtherListener.self, from: Data(result.output.utf8))
    }

    struct OtherListener: Decodable {
        let heard: [Forwarded]
        let devices: [String: [String: String]]

        enum CodingKeys: CodingKey { case heard, devices }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            devices = try values.decode([String: [String: String]].self, forKey: .devices)
            var list = try values.nestedUnkeyedContainer(forKey: .heard)
            var heard: [Forwarded] = []
            while !list.isAtEnd {
                var row = try list.nestedUnkeyedContainer()
                let address = UInt64(try row.decode(String.self), radix: 16) ?? 0
                let (kind, rssi) = (try row.decode(UInt8.self), try row.decode(Int.self))
                let data = bytes(hex: try row.decode(String.self)) ?? []
                heard.append(Forwarded(address: address, kind: kind, rssi: rssi, data: data))
            }
            self.heard = heard
        }
    }

    /// The advertising data of real captures: see Tests/Radio/BeaconsTests/Fixtures/README.md.
    static let real: [Forwarded] = {
        let text = try? String(
            contentsOfFile: Repository.path("Tests/Radio/BeaconsTests/Fixtures/captured.tsv"), encoding: .utf8)
        let rows = (text ?? "").split(separator: "\n").dropFirst()
        return rows.enumerated().compactMap { index, row in
            guard let data = row.split(separator: "\t").last.flatMap({ bytes(hex: $0) }) else { return nil }
            return Forwarded(
                address: 0xAABB_CCDD_EE00 + UInt64(index), kind: UInt8(index % 4), rssi: -40 - index % 60, data: data)
        }
    }()

    private static let python = Repository.path(".build/venv/bin/python")

    private static func script(_ name: String) throws -> String {
        try #require(Bundle.module.path(forResource: name, ofType: "py", inDirectory: "Fixtures"))
    }
}

extension ESPHomeScanner {
    /// Listens until this number of reports have been heard.
    func hear(_ count: Int) async throws -> [Forwarded] {
        var heard: [Forwarded] = []
        for try await batch in batches() {
            heard += batch.forwarded
            if heard.count >= count { break }
        }
        return heard
    }

    /// Listens until the health is as wanted.
    func listen(until isRight: (RadioHealth) -> Bool) async throws -> RadioHealth {
        for try await _ in batches() where isRight(radioHealth) { break }
        return radioHealth
    }
}
