import Syntax

/// Addresses as people type them.
public enum WebAddress {
    /// Completes `registry.example.org` to `https://registry.example.org`; this machine itself is reached without TLS.
    /// A text that is not a host name is left unchanged, to be refused later.
    public static func completed(_ text: String) -> String {
        guard !text.has("://"), let host = host(of: text) else { return text }
        return (isThisMachine(host) ? "http://" : "https://") + text
    }

    /// The host without port and path; nil if the text does not begin with a host.
    private static func host(of text: String) -> String? {
        let authority = text.part(beforeScalar: { $0 == "/" })
        let host: Substring
        if authority.begins(with: "["), let end = authority.unicodeScalars.firstIndex(of: "]") {
            host = authority[...end]
        } else {
            host = authority.part(beforeScalar: { $0 == ":" })
        }
        let isPlain = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "@") }
        guard isPlain, host == "localhost" || host.begins(with: "[") || host.utf8.contains(UInt8(ascii: ".")) else {
            return nil
        }
        return String(host)
    }

    /// Whether a host is this machine: localhost, ::1 or an address of 127.0.0.0/8, but not a name that begins like
    /// one.
    static func isThisMachine(_ host: String) -> Bool {
        let octets = host.split(at: ".", omittingEmptySubsequences: false)
        let isLoopback = octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
        return ["localhost", "::1", "[::1]"].contains(host) || isLoopback
    }
}
