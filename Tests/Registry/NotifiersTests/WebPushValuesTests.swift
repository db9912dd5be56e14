import Crypto
import Foundation
import RegistryAPI
import Testing

@testable import Notifiers

@Suite("Web Push and ntfy without a peer")
struct WebPushValuesTests {
    private func notifier() throws -> WebPushNotifier {
        try WebPushNotifier(key: VAPIDKey(), contact: "mailto:operator@example.org", allowPrivateAddresses: false)
    }

    @Test("the RFC’s example message is reproduced (RFC 8291, section 5)")
    func vector() throws {
        let keys = PushKeys(
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            auth: "BTBZMqHH6r4Tts7J_aSIgg"
        )
        let message = try #require(PushEncryption(keys)).encrypt(
            Array("When I grow up, I want to be a watermelon".utf8),
            sender: .init(
                rawRepresentation: try #require(Data(base64URL: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
            ),
            salt: try #require(Data(base64URL: "DGv6ra1nlYgDCS1FRnbzlw"))
        )
        #expect(
            Base64URL(message).text
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                + "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
    }

    @Test(
        "invalid keys are refused",
        arguments: [
            nil, PushKeys(p256dh: "", auth: ""), PushKeys(p256dh: "AAAA", auth: "BTBZMqHH6r4Tts7J_aSIgg"),
            PushKeys(
                p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                auth: "AA"
            ),
        ])
    func keys(keys: PushKeys?) throws {
        let draft = ChannelDraft(kind: .webpush, address: "https://push.example.org/x", keys: keys)
        #expect(try notifier().refusals(of: draft).map(\.pointer) == ["/keys"])
    }

    @Test("a key file can be read back, and another file is refused")
    func keyFile() throws {
        let key = VAPIDKey()
        #expect(try VAPIDKey(decoding: try key.encoded()).publicKey == key.publicKey)
        #expect(throws: VAPIDKey.FormatError.self) { try VAPIDKey(decoding: Data("{}".utf8)) }
    }

    @Test("a contact is a mail address or an https URL of a public name, or Apple refuses all messages")
    func contacts() {
        for contact in [
            "mailto:operator@example.org", "https://registry.example.org", "https://example.org:8443/contact?a=b",
        ] {
            #expect(VAPIDKey.isContact(contact), "\(contact)")
        }
        for contact in [
            "", "mailto:", "mailto:operator", "mailto:operator@localhost", "mailto:operator@pi.local",
            "mailto:<a@b.org>",
            "mailto: a@b.org", "mailto:a@b.org,c@d.org", "a@b.org", "https://", "https://localhost",
            "https://localhost:8080",
            "http://example.org", "https://127.0.0.1", "https://[::1]", "https://192.168.1.2/x",
            "https://a@example.org",
            "https://registry.test", "https://example.org\n", "https://münchen.example.org", "mailto:a@b.invalid",
        ] {
            #expect(!VAPIDKey.isContact(contact), "\(contact)")
        }
    }

    @Test(
        "an ntfy address must name a topic",
        arguments: [
            "https://ntfy.example.org", "https://ntfy.example.org/", "https://ntfy.example.org/a?b", "https://x/a%20b",
            "http://ntfy.example.org/topic", "ntfy.example.org/topic",
        ])
    func topics(url: String) throws {
        let notifier = try NtfyNotifier(allowPrivateAddresses: false)
        #expect(notifier.refusals(of: ChannelDraft(kind: .ntfy, address: url)).map(\.pointer) == ["/url"])
        let right = ChannelDraft(kind: .ntfy, address: "https://ntfy.example.org/my_bike-1")
        #expect(notifier.refusals(of: right).isEmpty)
    }
}
