import OperatingSystem
import Syntax

/// The address of a registry in its one form, so that each address belongs to one partner.
///
/// It has no trailing slash and no usual port, its host is in small letters, and all of it is ASCII. Other ways to
/// write an address are refused:
/// - percent-encoded characters: `%61` for `a`;
/// - `.`, `..` or nothing as a part of the path, and a dot after the host;
/// - an IPv4 address as other numbers than the usual four: `127.1`, `0x7f000001`;
/// - an IPv6 address that is not written as RFC 5952 says: `[0:0:0:0:0:0:0:1]` for `[::1]`;
/// - an IPv4 address as an IPv6 one: `[::ffff:127.0.0.1]`.
public struct PartnerAddress: Hashable, Sendable {
    /// The address, such as `https://registry.example/bikes` or `http://[::1]:8080`.
    public let url: String

    /// The schemes, and the port that each uses if a URL has none.
    private static let usualPorts = ["http:": ":80", "https:": ":443"]

    /// Reads an address; nil if the text is none, or another way to write one.
    public init?(_ text: String) {
        let bare = text.dropping(suffix: "/") ?? Substring(text)
        // Scheme, nothing, host and port, path.
        let parts = bare.split(at: "/", omittingEmptySubsequences: false).map(String.init)
        guard bare.utf8.allSatisfy({ $0 < 0x80 }), parts.count > 2, parts[1].isEmpty,
            let usualPort = Self.usualPorts[parts[0]],
            let authority = Self.authority(parts[2].lowercased(), usualPort: usualPort),
            parts.dropFirst(3).allSatisfy(Self.isPlainName)
        else { return nil }
        url = (parts[..<2] + [authority] + parts[3...]).joined(separator: "/")
    }

    /// A host, and its port unless that is the usual one; nil if they can be written in a simpler way.
    ///
    /// - Parameter text: the host and the port, in small letters.
    private static func authority(_ text: String, usualPort: String) -> String? {
        let pattern = /(\[[0-9a-f:]+\]|[0-9a-z._-]*[0-9a-z])(:[1-9][0-9]{0,4})?/
        guard let (_, host, port) = text.wholeMatch(of: pattern)?.output, isPlainHost(host) else { return nil }
        guard let port, port != usualPort else { return String(host) }
        return UInt16(port.dropFirst()) == nil ? nil : text
    }

    /// Whether a host is a name, or an Internet address in its usual form.
    private static func isPlainHost(_ host: Substring) -> Bool {
        // A host whose last part begins with a digit is an IPv4 address, also 127.1 or 0x7f000001.
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isNumber = host.split(at: ".").last?.utf8.first.map(digits.contains) ?? false
        guard isNumber || host.begins(with: "[") else { return true }
        let address = String(host.dropping(prefix: "[")?.dropping(suffix: "]") ?? host)
        return NetworkAddress(address)?.canonicalText == address
    }

    /// Whether a part of a path can be written in only one way.
    private static func isPlainName(_ part: String) -> Bool {
        part != "." && part != ".." && part.wholeMatch(of: /[0-9A-Za-z._~-]+/) != nil
    }
}
