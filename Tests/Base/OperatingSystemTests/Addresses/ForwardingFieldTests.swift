import OperatingSystem
import TestSupport
import Testing

@Suite("Fields in which proxies state their clients")
struct ForwardingFieldTests {
    private static let proxy = NetworkAddress(v4: 0x0A00_0001)
    private static let client = NetworkAddress(v4: 0xC000_0207)

    private func client(_ field: ForwardingField, _ value: String) -> NetworkAddress {
        field.client(behind: Self.proxy, value) { $0 == Self.proxy }
    }

    @Test(
        "an element of X-Forwarded-For has one of four exact forms",
        arguments: [
            ("192.0.2.7", true), ("192.0.2.7:80", true), ("::ffff:192.0.2.7", true), ("[::ffff:192.0.2.7]", true),
            ("[::ffff:192.0.2.7]:80", true), ("\t 192.0.2.7 ", true),
            ("\"192.0.2.7\"", false), ("192.0.2.7:", false), ("192.0.2.7:+80", false), ("192.0.2.7:65536", false),
            ("192.0.2.7:80 x", false), ("192.0.2.7:\"", false), ("[192.0.2.7]", false), ("[::ffff:192.0.2.7", false),
            ("[::ffff:192.0.2.7]x", false), ("[::ffff:192.0.2.7]\"", false), ("[::ffff:192.0.2.7]:", false),
            ("::ffff:192.0.2.7%1", false), ("192.0.2.7\u{0}", false), ("192.0.2.07", false),
            ("192.0.2.7\u{301}", false), ("unix:", false), ("", false),
        ])
    func forms(element: String, isAddress: Bool) {
        #expect(client(.xForwardedFor, element) == (isAddress ? Self.client : Self.proxy))
        // An element that cannot be read ends the reading: what is to its left is a claim of its writer.
        let answer = isAddress ? Self.client : Self.proxy
        #expect(client(.xForwardedFor, "203.0.113.9, \(element)") == answer)
    }

    /// What clients have tried, or could try, in front of the proxy's own entry.
    static let claims = [
        "5.6.7.8", "5.6.7.8:\"", "\"", "\"5.6.7.8", "[2001:db8::1]\"", "for=[2001:db8::1]\"", "for=a:\"", "for=\"",
        "for=\"[2001:db8::1]", "for=5.6.7.8;x=\"", "for=\"a\\", "a\\\"", "\\", ",", ",,\",", "for=5.6.7.8;for=\"",
        "\u{600}\"\u{301}", "\u{600},\u{301}", "10.0.0.1", "unknown", "",
    ]

    @Test("nothing that a client writes changes how the entry of a trusted proxy is read", arguments: claims)
    func claim(claim: String) {
        #expect(client(.xForwardedFor, "\(claim), 192.0.2.7") == Self.client)
        #expect(client(.xForwardedFor, "\(claim),[::ffff:192.0.2.7]:4711") == Self.client)
        for element in [
            "for=192.0.2.7", "for=\"[::ffff:192.0.2.7]:4711\";proto=https", "By=10.0.0.1;For=192.0.2.7",
            #"host="a\\\", for=10.0.0.9;for=10.0.0.8";for=192.0.2.7"#, #"for=192.0.2.7;host="\\""#,
        ] {
            #expect(client(.forwarded, "\(claim), \(element)") == Self.client)
            // Two proxies, of which the last one is trusted and named by the one before it.
            #expect(client(.forwarded, "\(claim), \(element), for=10.0.0.1") == Self.client)
        }
    }

    @Test("nor does any other text")
    func noise() {
        var generator = SeededGenerator(seed: 28)
        let parts = ["\"", "\\", ",", ";", "=", "for", "[", "]", ":", " ", "5.6.7.8", "2001:db8::1", "10.0.0.1", "é"]
        for _ in 0..<20_000 {
            let claim = (0..<Int.random(in: 0..<12, using: &generator))
                .map { _ in parts[Int.random(in: 0..<parts.count, using: &generator)] }.joined()
            #expect(client(.xForwardedFor, "\(claim),192.0.2.7") == Self.client, "\(claim)")
            #expect(client(.forwarded, "\(claim),for=\"192.0.2.7:1\"") == Self.client, "\(claim)")
        }
    }

    @Test("an element of Forwarded that names no address, or several, ends the reading")
    func unreadable() {
        for element in ["for=_hidden", "for=unknown", "proto=https", "for=192.0.2.7;for=192.0.2.8", "for=\"192.0.2.7"] {
            #expect(client(.forwarded, "for=203.0.113.9, \(element)") == Self.proxy)
        }
    }
}
