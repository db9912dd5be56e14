import RegistryRules
import Testing

@Suite("The address of a partner")
struct PartnerAddressTests {
    @Test(
        "an address has one form, however it is typed",
        arguments: [
            ("https://host.example", "https://host.example"), ("https://host.example/", "https://host.example"),
            ("https://Host.EXAMPLE", "https://host.example"), ("https://host.example:443", "https://host.example"),
            ("https://host.example:443/", "https://host.example"), ("http://host.example:80", "http://host.example"),
            ("https://host.example:443/Bikes/", "https://host.example/Bikes"),
            // Each of these has only one way to be written.
            ("https://host.example:80", "https://host.example:80"),
            ("http://host.example:443", "http://host.example:443"),
            ("https://host.example:65535", "https://host.example:65535"),
            ("https://host.example/a/B.c_d~e-1", "https://host.example/a/B.c_d~e-1"),
            ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
            ("https://1.2.3.4.example", "https://1.2.3.4.example"), ("http://localhost:8080", "http://localhost:8080"),
            ("https://127.0.0.1", "https://127.0.0.1"), ("https://127.0.0.1:443", "https://127.0.0.1"),
            ("https://[::1]", "https://[::1]"), ("https://[::1]:443/", "https://[::1]"),
            ("http://[::1]:8080", "http://[::1]:8080"), ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
            ("https://[2001:db8:0:1:1:1:1:1]", "https://[2001:db8:0:1:1:1:1:1]"),
        ] as [(String, String)])
    func oneForm(text: String, url: String) {
        #expect(PartnerAddress(text)?.url == url)
        #expect(PartnerAddress(url)?.url == url)
    }

    @Test(
        "other ways to write an address are refused",
        arguments: [
            ("no text", ""), ("no scheme", "host.example"), ("no host", "https://"), ("only a scheme", "https:"),
            ("another scheme", "ftp://host.example"), ("a scheme in capitals", "HTTPS://host.example"),
            ("one slash", "https:/host.example"), ("text before the host", "https:a/host.example"),
            ("text between the slashes", "https:/a/host.example"), ("a user", "https://me@host.example"),
            ("a space", "https://host.example "), ("a line break", "https://host.example\r\n"),
            ("a query", "https://host.example/?a"), ("a fragment", "https://host.example/#a"),
            ("a backslash", "https://host.example\\a"), ("an encoded letter of the host", "https://h%6fst.example"),
            ("an encoded letter of the path", "https://host.example/%61"),
            ("a letter beyond ASCII", "https://bücher.example"),
            ("a combining mark", "https://host.example/a\u{301}"),
            ("the Kelvin sign for k", "https://\u{212A}.example"),
            ("a dot after the host", "https://host.example."), ("two slashes at the end", "https://host.example//"),
            ("two slashes", "https://host.example/a//b"), ("a dot as a part", "https://host.example/./a"),
            ("two dots as a part", "https://host.example/a/.."), ("no port", "https://host.example:"),
            ("a port with a zero before it", "https://host.example:0443"), ("port 0", "https://host.example:0"),
            ("a port with a sign", "https://host.example:+443"),
            ("a port beyond 16 bits", "https://host.example:65536"),
            ("two numbers", "https://127.1"), ("one number", "https://2130706433"),
            ("a hexadecimal number", "https://0x7f000001"), ("a hexadecimal part", "https://127.0.0.0x1"),
            ("an octal part", "https://127.0.0.01"), ("a part beyond 8 bits", "https://127.0.0.256"),
            ("five numbers", "https://1.2.3.4.5"), ("IPv4 in brackets", "https://[127.0.0.1]"),
            ("IPv6 without brackets", "https://::1"), ("empty brackets", "https://[]"),
            ("a bracket without the other", "https://[::1"), ("no IPv6 address", "https://[1:2]"),
            ("all groups", "https://[0:0:0:0:0:0:0:1]"), ("zeros before a group", "https://[::0001]"),
            ("one zero left out", "https://[2001:db8::1:1:1:1:1]"),
            ("the shorter run left out", "https://[2001::1:0:0:0:1]"),
            ("the second of equal runs left out", "https://[2001:db8:0:0:1::1]"),
            ("a zone", "https://[fe80::1%eth0]"), ("an encoded zone", "https://[fe80::1%25eth0]"),
            ("IPv4 as IPv6", "https://[::ffff:127.0.0.1]"), ("IPv4 as IPv6, in hexadecimal", "https://[::ffff:7f00:1]"),
        ] as [(String, String)])
    func refused(reason: String, text: String) {
        #expect(PartnerAddress(text) == nil, "\(reason)")
    }
}
