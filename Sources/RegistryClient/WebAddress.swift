/// Addresses as people type them.
public enum WebAddress {
    /// `registry.example.org` is meant as `https://registry.example.org`; this machine itself is reached without TLS.
    /// A text that is no host’s name stays as it is, to be refused.
    public static func completed(_ text: String) -> String {
        guard !text.contains("://"), let host = host(of: text) else { return text }
        return (isThisMachine(host) ? "http://" : "https://") + text
    }

    /// Without port and path; nil if the text cannot begin with a host.
    private static func host(of text: String) -> String? {
        let authority = text.prefix { $0 != "/" }
        let host: Substring
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[...end]
        } else {
            host = authority.prefix { $0 != ":" }
        }
        let isPlain = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "@") }
        guard isPlain, host == "localhost" || host.hasPrefix("[") || host.contains(".") else { return nil }
        return String(host)
    }

    /// Whether a host is the machine itself: localhost, ::1 or an address of 127.0.0.0/8, not a name that begins like one.
    static func isThisMachine(_ host: String) -> Bool {
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        let isLoopback = octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
        return ["localhost", "::1", "[::1]"].contains(host) || isLoopback
    }
}
