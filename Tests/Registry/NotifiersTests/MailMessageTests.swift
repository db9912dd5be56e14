import Foundation
import Testing

@testable import Notifiers

@Suite("E-mail without a server")
struct MailMessageTests {
    @Test(
        "a title in any script survives its encoding",
        arguments: [
            "plain", "Dein Fahrrad „Größe“ wurde gehört", String(repeating: "日本語🚲", count: 20), "=?utf-8?q?x?=",
            "a\r\nBcc: x@example.org",
        ])
    func titles(title: String) async throws {
        let encoded = MailMessage.encoded(title)
        #expect(encoded.components(separatedBy: "\r\n ").allSatisfy { $0.utf8.count <= 75 } || title.contains("Bcc"))
        var message = MailMessage(text: "text", html: "html")
        message.headers = [("Subject", encoded)]
        let header = String(decoding: message.bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")[0]
        #expect(!header.contains("\nBcc"))
    }

    @Test(
        "an address that is not plain is refused",
        arguments: [
            "", "me", "@example.org", "me@", "me@localhost", "me@example..org", "me@-example.org", "me@[127.0.0.1]",
            "a b@example.org", "me@example.org\r\nRCPT TO:<x@example.org>", "<me@example.org>", "me@example.org>",
            "\"me\"@example.org", ".me@example.org", "me@exämple.org", "a@b@example.org", "me,you@example.org",
        ])
    func addresses(text: String) async throws {
        #expect(!EmailNotifier.isAddress(text))
        #expect(["me@example.org", "o'neill+bike@mail.example.co.uk"].allSatisfy(EmailNotifier.isAddress))
    }
}
