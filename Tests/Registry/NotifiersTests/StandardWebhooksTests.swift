import FoundationEssentials
import Notifiers
import RegistryAPI
import RegistryRules
import Testing

@Suite("Standard Webhooks signatures")
struct StandardWebhooksTests {
    @Test("the signature of the specification’s example matches")
    func example() throws {
        let key = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let secret = SigningSecret(bytes: Array(key))
        #expect(secret.text == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let headers = StandardWebhooks.headers(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            time: Timestamp(milliseconds: 1_614_265_330_000),
            body: Array(#"{"test": 2432232314}"#.utf8),
            secret: secret
        )
        #expect(headers.last?.value == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
    }
}
