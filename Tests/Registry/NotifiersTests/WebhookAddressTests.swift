import RegistryAPI
import Testing

@testable import Notifiers

@Suite("Webhook addresses")
struct WebhookAddressTests {
    @Test(
        "an address that cannot be a public webhook is refused when the channel is created",
        arguments: [
            "http://example.org/", "ftp://example.org/", "example.org", "https://", "https:///path", "javascript:1",
            "https://user:password@example.org/", "https://user@example.org/", "https://example.org/#part",
            "https://example.org:0/", "https://example.org:65536/", "https://example.org:port/", "https://exämple.org/",
            "https://example.org/a b", "https://example.org/\r\nHost: x", "file:///etc/passwd", "",
        ]
    )
    func refused(url: String) throws {
        let refusals = try WebhookNotifier(allowPrivateAddresses: false)
            .refusals(of: ChannelDraft(kind: .webhook, address: url))
        #expect(refusals.map(\.pointer) == ["/url"])
    }

    @Test(
        "ordinary addresses are accepted",
        arguments: [
            "https://example.org", "https://example.org/hook?token=abc", "https://example.org:8443/%C3%A4",
            "HTTPS://EXAMPLE.ORG/", "https://[2001:db8::1]/hook",
        ]
    )
    func accepted(url: String) {
        #expect(WebhookAddress(allowPrivateAddresses: false).refusal(of: url) == nil)
    }

    @Test("plain http needs an operator who allows private addresses")
    func plain() {
        let url = "http://127.0.0.1:8000/hook"
        #expect(WebhookAddress(allowPrivateAddresses: true).refusal(of: url) == nil)
        #expect(WebhookAddress(allowPrivateAddresses: false).refusal(of: url) == "must begin with https://")
    }
}
