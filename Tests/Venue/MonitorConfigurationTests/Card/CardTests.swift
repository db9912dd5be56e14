import Foundation
import TestSupport
import Testing

@testable import MonitorConfiguration

@Suite("The file on a card")
struct CardTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["etc/modprobe.d", "etc/NetworkManager/system-connections", "usr/share/zoneinfo/Europe", "boot"] {
            try FileManager.default.createDirectory(
                atPath: folder.file("root/" + name), withIntermediateDirectories: true)
        }
        for zone in ["Europe/Berlin", "localtime"] {
            try Data("TZif2".utf8).write(to: URL(fileURLWithPath: folder.file("root/usr/share/zoneinfo/" + zone)))
        }
    }

    private var card: Card { Card(folder: folder.file("root/boot"), root: folder.file("root")) }

    private func written(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder.file("root/" + name)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func write(_ text: String) throws {
        try write(Data(text.utf8))
    }

    private func write(_ data: Data) throws {
        try data.write(to: URL(fileURLWithPath: folder.file("root/boot/findmybike.txt")))
    }

    private var profile: String? { written("etc/NetworkManager/system-connections/findmybike.nmconnection") }

    @Test("everything in the file is applied, and the password leaves it")
    func all() async throws {
        try write(
            """
            # a comment
            registry: registry.example.org
            code: 7KQ2M-XW9TC
            wifi: Café = 5 GHz
            wifi-password: a\\b: c#d
            country: uk
            time-zone: Europe/Berlin
            name: Café „Sprocket“ 2

            """)
        try await card.apply()
        #expect(written("etc/hostname") == "cafe-sprocket-2\n")
        #expect(written("etc/hosts")?.contains("127.0.1.1 cafe-sprocket-2\n") == true)
        #expect(written("etc/timezone") == "Europe/Berlin\n")
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("root/etc/localtime"))
        #expect(link == "/usr/share/zoneinfo/Europe/Berlin")
        #expect(written("etc/modprobe.d/findmybike-country.conf") == "options cfg80211 ieee80211_regdom=GB\n")
        let profile = try #require(profile)
        #expect(profile.contains("ssid=67;97;102;195;169;32;61;32;53;32;71;72;122;\n"))
        #expect(profile.contains("psk=a\\\\b: c#d\n"))
        let mode = try FileManager.default.attributesOfItem(
            atPath: folder.file("root/etc/NetworkManager/system-connections/findmybike.nmconnection"))[
                .posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
        let rest = try #require(written("boot/findmybike.txt"))
        #expect(rest.contains("wifi-password:\n") && !rest.contains("c#d"))
        #expect(rest.contains("# a comment\n") && rest.contains("wifi: Café = 5 GHz\n"))
        #expect(
            try card.invitation() == Card.Invitation(registry: "registry.example.org", code: "7KQ2M-XW9TC"))
        try card.removeCode()
        #expect(try card.invitation() == nil)
    }

    @Test("the next start, without the password, keeps the Wi-Fi; another network without one is open")
    func again() async throws {
        try write("wifi: Sprocket\nwifi-password: rear wheel\ncountry: GB\n")
        try await card.apply()
        let first = profile
        try await card.apply()
        #expect(profile == first && first?.contains("psk=rear wheel\n") == true)
        try write("wifi: Guests\ncountry: GB\n")
        try await card.apply()
        #expect(profile?.contains("wifi-security") == false)
    }

    @Test(
        "the file may come from any editor",
        arguments: [
            Data("\u{FEFF}registry: r.example.org\r\nCODE = abc\r\n".utf8),
            Data([0xFF, 0xFE]) + ("registry: r.example.org\r\ncode: abc\r\n".data(using: .utf16LittleEndian) ?? Data()),
            Data("Registry : r.example.org\rCode: \"abc\"\r".utf8),
        ])
    func editors(_ data: Data) throws {
        try write(data)
        #expect(try card.invitation() == Card.Invitation(registry: "r.example.org", code: "abc"))
    }

    @Test(
        "an error is named with its line and what to do, and nothing is applied",
        arguments: [
            ("wifi: a", "country"),
            ("wifi: a\ncountry: Germany", "Line 2: write the country as two letters"),
            ("wifi: a\nwifi-password: short\ncountry: DE", "Line 2: a Wi-Fi password has 8 to 63"),
            ("wifi-password: long enough", "the name of the network is missing"),
            ("wifi: \(String(repeating: "é", count: 17))\ncountry: FR", "at most 32"),
            ("code: abc", "add a line “registry"),
            ("registry: the registry\ncode: abc", "Line 1: this is not an address"),
            ("registry: http://registry.example.org", "Line 1: begin the address with https://"),
            ("registri: x", "The names are: registry, code, wifi"),
            ("registry x", "Line 1: a line is a name, a colon and a value"),
            ("name: a\nname: b", "Line 2: name is given twice"),
            ("name: ***", "at least one letter"),
            ("time-zone: ../../etc/passwd", "no such time zone"),
            ("time-zone: Europe", "no such time zone"), ("time-zone: localtime", "no such time zone"),
            ("wifi: a\nwifi-password: \(String(repeating: "a", count: 61))Ａ\ncountry: DE", "Line 2: a Wi-Fi password"),
            ("code: a\u{7}b\nregistry: x.example", "cannot be seen"),
            (String(repeating: "#\n", count: 40_000), "not plain text"),
        ])
    func errors(_ text: String, _ expected: String) async throws {
        try write("name: sprocket\n")
        try await card.apply()
        try write(text)
        let errors = await #expect(throws: CardErrors.self) { try await card.apply() }
        #expect(errors?.lines.contains { $0.contains(expected) } == true, "\(errors?.lines ?? [])")
        #expect(written("etc/hostname") == "sprocket\n")
        #expect(profile == nil)
        #expect(written("boot/findmybike.txt") == text)
    }

    @Test("bytes that are no text, and cut or odd UTF-16, are an error and no crash")
    func garbage() async throws {
        for data in [Data([0xFF, 0xFE, 0x41]), Data([0xC3, 0x28]), Data([0xFF])] {
            try write(data)
            await #expect(throws: CardErrors.self) { try await card.apply() }
        }
        // Half of a pair: Foundation may replace it.
        try write(Data([0xFE, 0xFF, 0xD8, 0x00]))
        _ = try? await card.apply()
        try write(Data())
        try await card.apply()
        let path = folder.file("root/boot/findmybike.txt")
        try FileManager.default.removeItem(atPath: path)
        try await card.apply()
        #expect(!card.hasFile)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        await #expect(throws: CardErrors.self) { try await card.apply() }
    }

    @Test("a status that has not changed is not written again")
    func status() throws {
        try card.say(["Ready."])
        let path = folder.file("root/boot/findmybike-status.txt")
        let first = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber
        try card.say(["Ready."])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber == first)
        #expect(written("boot/findmybike-status.txt") == "FindMyBike\r\n\r\nReady.\r\n")
    }
}
