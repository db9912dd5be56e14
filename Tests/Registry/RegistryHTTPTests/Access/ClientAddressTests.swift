import HTTPTypes
import OperatingSystem
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Client addresses")
struct ClientAddressTests {
    @Test(
        "an IPv4 client is identified by its address, an IPv6 client by its /64",
        arguments: [
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true),
            ("2001:db8::1", "2001:db8::ffff:1", true), ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
            ("::1", "0.0.0.0", false),
        ]
    )
    func client(first: String, second: String, same: Bool) throws {
        let first = try #require(NetworkAddress(first))
        let second = try #require(NetworkAddress(second))
        #expect((first.client == second.client) == same)
    }

    @Test(
        "a range contains the addresses with its prefix",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false), ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
            ("::/0", "192.0.2.1", true), ("::1", "::1", true), ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
            ("127.0.0.0/31", "127.0.0.1", true), ("127.0.0.0/31", "127.0.0.2", false),
        ]
    )
    func ranges(range: String, address: String, holds: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(try #require(NetworkAddress(address))) == holds)
    }

    @Test(
        "an invalid range is refused, including a network with host bits set",
        arguments: [
            "", "10", "10.0.0.0/33", "10.0.0.1/8", "::1/129", "10.0.0.0/", "10.0.0.0/8/8", "localhost", "[::1]",
        ]
    )
    func noRange(text: String) { #expect(AddressRange(text) == nil) }

    @Test(
        "behind trusted proxies the client is the rightmost hop that is not a trusted proxy",
        arguments: [
            ("198.51.100.1", [], "198.51.100.1"),
            // An untrusted client can claim any address.
            ("198.51.100.1", ["192.0.2.1"], "198.51.100.1"),
            ("127.0.0.1", ["192.0.2.1"], "192.0.2.1"),
            ("127.0.0.1", ["203.0.113.5, 192.0.2.1"], "192.0.2.1"),
            ("127.0.0.1", ["203.0.113.5", "192.0.2.1"], "192.0.2.1"),
            ("127.0.0.1", ["203.0.113.5, 192.0.2.1, 10.1.2.3"], "192.0.2.1"),
            ("127.0.0.1", ["10.1.2.3, 10.1.2.4"], "10.1.2.3"),
            ("127.0.0.1", ["192.0.2.1:4711"], "192.0.2.1"),
            ("127.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"),
            ("127.0.0.1", ["2001:db8::1"], "2001:db8::1"),
            ("127.0.0.1", ["192.0.2.1, unknown, 10.1.2.3"], "10.1.2.3"),
            ("127.0.0.1", [], "127.0.0.1"), ("127.0.0.1", [" , "], "127.0.0.1"),
            // Quotes mean nothing here.
            ("127.0.0.1", ["5.6.7.8:\", 192.0.2.1"], "192.0.2.1"), ("127.0.0.1", ["5.6.7.8:\""], "127.0.0.1"),
        ] as [(String, [String], String)]
    )
    func forwardedFor(peer: String, fields: [String], client: String) throws {
        try expect(peer, .xForwardedFor, fields, client)
    }

    @Test(
        "Forwarded is parsed as RFC 7239 specifies",
        arguments: [
            ([#"for=192.0.2.1;proto=https;by=10.1.2.3"#], "192.0.2.1"),
            ([#"For="[2001:db8::1]:4711""#], "2001:db8::1"),
            ([#"for=203.0.113.5, proto=http; for = 192.0.2.1"#], "192.0.2.1"),
            ([#"by="a,b;for=203.0.113.9";for=192.0.2.1"#], "192.0.2.1"),
            ([#"for=203.0.113.5"#, #"for=_hidden"#], "127.0.0.1"),
            ([#"proto=https"#], "127.0.0.1"),
            ([#"for=[2001:db8::9]", for=192.0.2.1"#], "192.0.2.1"), ([#"for=a:", for=192.0.2.1"#], "192.0.2.1"),
            ([#"for="5.6.7.8"#, #"for="[2001:db8::1]:4711""#], "2001:db8::1"),
        ] as [([String], String)]
    )
    func forwarded(fields: [String], client: String) throws {
        try expect("127.0.0.1", .forwarded, fields, client)
    }

    @Test("only the header field that the proxies write is read")
    func otherField() throws {
        let proxies = TrustedProxies([try #require(AddressRange("127.0.0.1"))], field: .forwarded)
        let peer = NetworkAddress("127.0.0.1")
        let headers: HTTPFields = [try #require(HTTPField.Name("X-Forwarded-For")): "192.0.2.1"]
        #expect(proxies.client(peer: peer, headers: headers) == peer)
    }

    private func expect(_ peer: String, _ field: ForwardingField, _ fields: [String], _ client: String) throws {
        let ranges = ["127.0.0.1", "10.0.0.0/8"].compactMap { AddressRange($0) }
        var headers = HTTPFields()
        let name = try #require(HTTPField.Name(field.rawValue))
        for value in fields { headers.append(HTTPField(name: name, value: value)) }
        let found = TrustedProxies(ranges, field: field).client(peer: NetworkAddress(peer), headers: headers)
        #expect(found == NetworkAddress(client))
    }
}
