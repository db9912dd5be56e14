import Foundation
import Glibc
import OperatingSystem
import Syntax

/// The machine to which a card's settings are applied.
struct CardMachine: Sendable {
    /// The folder before all paths: empty, or a folder of a test.
    var root = ""

    /// The connection that this program writes.
    private static let profile = "/etc/NetworkManager/system-connections/findmybike.nmconnection"
    /// The folder of the tz database.
    private static let zones = "/usr/share/zoneinfo"

    /// Whether a name is one of the tz database.
    func isZone(_ name: String) -> Bool {
        let parts = name.split(at: "/", omittingEmptySubsequences: false)
        let isPath = parts.allSatisfy { part in
            part.first?.isLetter == true && part.utf8.allSatisfy { $0 < 0x80 } && !part.utf8.contains(UInt8(ascii: "."))
        }
        // “localtime” is the setting itself. Every zone begins with this mark (RFC 8536, section 3.1).
        guard isPath, name != "localtime",
            let file = FileHandle(forReadingAtPath: "\(root)\(Self.zones)/\(name)")
        else { return false }
        return (try? file.read(upToCount: 4)) == Data("TZif".utf8)
    }

    /// Writes the settings to where the system reads them. Running it again changes nothing.
    func apply(_ settings: CardSettings) async throws {
        if let hostname = settings.hostname { try setName(hostname) }
        if let zone = settings.timeZone { try setZone(zone) }
        if let country = settings.country { try await setCountry(country) }
        if let wifi = settings.wifi { try join(wifi) }
    }

    /// Names the machine.
    private func setName(_ hostname: String) throws(FileFailure) {
        try put("\(hostname)\n", at: "/etc/hostname")
        try put(
            """
            127.0.0.1 localhost
            127.0.1.1 \(hostname)
            ::1 localhost ip6-localhost ip6-loopback
            ff02::1 ip6-allnodes
            ff02::2 ip6-allrouters

            """, at: "/etc/hosts")
        if root.isEmpty { sethostname(hostname, hostname.utf8.count) }
    }

    private func setZone(_ zone: String) throws {
        let link = root + "/etc/localtime"
        let destination = "\(Self.zones)/\(zone)"
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != destination {
            unlink(link + ".new")
            try FileManager.default.createSymbolicLink(atPath: link + ".new", withDestinationPath: destination)
            guard rename(link + ".new", link) == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
        try put("\(zone)\n", at: "/etc/timezone")
    }

    private func setCountry(_ country: String) async throws {
        try put("options cfg80211 ieee80211_regdom=\(country)\n", at: "/etc/modprobe.d/findmybike-country.conf")
        // Needed for a module that is already loaded. A machine without Wi-Fi has nothing to set.
        if root.isEmpty { _ = try await ExternalProgram("iw", ["reg", "set", country], timeout: .seconds(10)).run() }
    }

    /// Joins a Wi-Fi. If the file has no password for the network, the one from an earlier file is kept.
    private func join(_ wifi: CardSettings.WiFi) throws(FileFailure) {
        let profile = WiFiProfile(wifi: wifi)
        if wifi.password == nil, let earlier = FileManager.default.contents(atPath: root + Self.profile),
            profile.isOfSameNetwork(as: String(decoding: earlier, as: UTF8.self))
        {
            return
        }
        try put(profile.text, at: Self.profile, .private)
    }

    /// Writes a file unless it already has this content: writing wears out a card.
    private func put(
        _ text: String, at path: String, _ access: FileAccess = FileAccess(mode: 0o644)
    ) throws(FileFailure) {
        guard FileManager.default.contents(atPath: root + path) != Data(text.utf8) else { return }
        try DurableFile.put(Array(text.utf8), at: root + path, access)
    }
}
