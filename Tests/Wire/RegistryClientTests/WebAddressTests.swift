import RegistryClient
import Testing

@Suite("Addresses as people type them")
struct WebAddressTests {
    @Test(
        "an address without a scheme uses TLS, except on this machine",
        arguments: [
            ("registry.example.org", "https://registry.example.org"),
            ("example.org:8443/x", "https://example.org:8443/x"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("localhost:8080", "http://localhost:8080"),
            ("[::1]:8080", "http://[::1]:8080"), ("[2001:db8::1]", "https://[2001:db8::1]"),
            ("127.0.0.1.example.org", "https://127.0.0.1.example.org"),
            ("localhost.example", "https://localhost.example"),
            ("http://registry.example.org", "http://registry.example.org"), ("https://a", "https://a"),
            ("nonsense", "nonsense"), ("", ""), ("a@b.example", "a@b.example"), ("two words.x", "two words.x"),
        ])
    func completed(text: String, url: String) { #expect(WebAddress.completed(text) == url) }
}
