import OperatingSystem
import Testing

@Suite("Internet addresses")
struct NetworkAddressTests {
    @Test(
        "addresses of private and special networks are not public",
        arguments: [
            "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.169.254", "100.64.0.0",
            "0.0.0.0", "224.0.0.1", "255.255.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.19.255.255",
            "198.51.100.1", "203.0.113.1", "::1", "::", "fe80::1", "fc00::1", "fd12:3456:789a::1", "ff02::1",
            "2001:db8::1", "3fff::1",
            "::ffff:127.0.0.1",
            "64:ff9b::10.0.0.1",  // NAT64
            "2002:7f00:1::",  // 6to4 of 127.0.0.1
            "2001::1",  // Teredo
        ]
    )
    func notPublic(text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPublic)
    }

    @Test(
        "addresses of the Internet are public",
        arguments: [
            "1.1.1.1", "172.15.255.255", "172.32.0.0", "192.167.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
            "223.255.255.255", "2606:4700::1111", "2a00::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1",
        ]
    )
    func isPublic(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    @Test("addresses are printed in their usual form")
    func description() {
        #expect("\(NetworkAddress(v4: 0xC0A8_0102))" == "192.168.1.2")
        #expect("\(NetworkAddress(high: 0x2001_0DB8_0000_0000, low: 1))" == "2001:db8:0:0:0:0:0:1")
    }

    @Test(
        "an address has one canonical text",
        arguments: [
            ("192.168.1.2", "192.168.1.2"), ("::ffff:192.168.1.2", "192.168.1.2"), ("0:0:0:0:0:0:0:0", "::"),
            ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8:0:0:0:0:0:0", "2001:db8::"), ("2001:0db8::0001", "2001:db8::1"),
            // One zero stays; of two runs the longer one is shortened, and of equal ones the first.
            ("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001::1:0:0:0:1", "2001:0:0:1::1"),
            ("2001:db8:0:0:1::1", "2001:db8::1:0:0:1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ])
    func canonicalText(text: String, canonical: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.canonicalText == canonical)
        #expect(NetworkAddress(canonical) == address)
    }

    @Test("an invalid address is refused", arguments: ["", "1.2.3", "[::1]", "::1%lo", "127.0.0.1:80", "host"])
    func noAddress(text: String) { #expect(NetworkAddress(text) == nil) }
}
