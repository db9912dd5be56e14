import Notifiers
import RegistryAPI
import Testing

@Suite("Standard Webhooks signatures")
struct StandardWebhooksTests {
    @Test("the signature of the specification’s example matches")
    func example() throws {
        let secret = try #require(StandardWebhooks.Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let headers = StandardWebhooks.headers(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            time: Timestamp(milliseconds: 1_614_265_330_000),
            body: Array(#"{"test": 2432232314}"#.utf8),
            secret: secret
        )
        #expect(headers.last?.value == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
    }

    @Test("a new secret can be parsed back", arguments: 0..<5)
    func roundTrip(_: Int) throws {
        let secret = StandardWebhooks.Secret()
        #expect(StandardWebhooks.Secret(secret.text)?.text == secret.text)
    }

    @Test(
        "an invalid secret is refused",
        arguments: ["", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_???"])
    func refuses(text: String) {
        #expect(StandardWebhooks.Secret(text) == nil)
    }
}
