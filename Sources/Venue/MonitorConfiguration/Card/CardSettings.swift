import Foundation
import Syntax

/// The settings of a card, checked.
struct CardSettings: Hashable {
    /// The registry's address, and the code that makes this machine a station; nil if neither is given.
    var registry: String?
    var code: String?
    var wifi: WiFi?
    /// ISO 3166-1, two capitals. It decides on which channels the Wi-Fi may send.
    var country: String?
    /// A name in the tz database, as in `Europe/Berlin`.
    var timeZone: String?
    /// The machine's name in the venue's network (RFC 1123, section 2.1), without a domain.
    var hostname: String?

    /// A Wi-Fi network to join.
    struct WiFi: Hashable {
        /// The name of the network: 1 to 32 bytes (IEEE 802.11, 9.4.2.2).
        var name: String
        /// 8 to 63 characters of ASCII, or 64 hexadecimal digits; nil if none is given.
        var password: String?
    }

    /// - Parameter isZone: whether a name is one of the tz database.
    /// - Throws: all errors of the file.
    init(_ file: CardFile, isZone: (String) -> Bool) throws(CardErrors) {
        var errors: [String] = []
        func line(_ setting: CardSetting) -> String { "Line \(file.entries[setting]?.line ?? 0): " }
        registry = file[.registry]
        code = file[.code]
        if let registry, let problem = Self.problem(ofAddress: registry) { errors.append(line(.registry) + problem) }
        if code != nil, registry == nil {
            errors.append("The registry’s address is missing: add a line “registry: …”.")
        }
        if let name = file[.wifi] {
            wifi = WiFi(name: name, password: file[.wifiPassword])
            if name.utf8.count > 32 {
                errors.append(line(.wifi) + "the name of a Wi-Fi network has at most 32 characters.")
            }
            if file[.country] == nil {
                errors.append(
                    "The country is missing. Wi-Fi stays off without it: add a line such as “country: DE”.")
            }
        }
        if let password = file[.wifiPassword] {
            if !Self.isPassword(password) {
                errors.append(line(.wifiPassword) + "a Wi-Fi password has 8 to 63 characters, without accents.")
            }
            if file[.wifi] == nil {
                errors.append(line(.wifiPassword) + "the name of the network is missing: add “wifi: …”.")
            }
        }
        if let text = file[.country] {
            // The United Kingdom's code is GB, and people write UK.
            country = text.uppercased() == "UK" ? "GB" : text.uppercased()
            if text.utf8.count != 2 || !text.utf8.allSatisfy({ $0.isLetter }) {
                errors.append(line(.country) + "write the country as two letters, for example DE or GB.")
            }
        }
        if let zone = file[.timeZone] {
            timeZone = zone
            if !isZone(zone) {
                errors.append(line(.timeZone) + "there is no such time zone. Examples: Europe/Berlin, Europe/London.")
            }
        }
        if let name = file[.name] {
            hostname = Self.hostname(name)
            if hostname == nil { errors.append(line(.name) + "a name needs at least one letter from A to Z.") }
        }
        guard errors.isEmpty else { throw CardErrors(errors) }
    }

    /// A host name from a venue's name: “Café Sprocket” becomes `cafe-sprocket`. Nil if nothing remains.
    private static func hostname(_ name: String) -> String? {
        let plain = name.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
        let words = plain.utf8.split { !$0.isLetter && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let joined = String(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(63))
        let trimmed = joined.dropping(suffix: "-").map { String($0) } ?? joined
        return trimmed.utf8.contains(where: \.isLetter) ? trimmed : nil
    }

    /// What is wrong with an address; nil if it looks like one.
    private static func problem(ofAddress text: String) -> String? {
        if text.lowercased().begins(with: "http://") { return "begin the address with https://." }
        let address = text.lowercased().begins(with: "https://") ? Substring(text.utf8.dropFirst(8)) : text[...]
        let isAddress =
            address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            && address.utf8.prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: "."))
        return isAddress ? nil : "this is not an address. An address looks like registry.example.org."
    }

    /// Whether a text may be the password of a WPA2 or WPA3 network, or its key.
    private static func isPassword(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.allSatisfy { (0x20...0x7E).contains($0) } && (8...63).contains(bytes.count)
            || bytes.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}

extension UInt8 {
    /// Whether the byte is a letter of ASCII.
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
