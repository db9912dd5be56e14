import Foundation
import HTTPClient
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import Notifiers

@Suite("E-mail")
struct EmailNotifierTests {
    private let clock = HandClock()
    private let server: JudgingPeer

    init() throws { server = try JudgingPeer("mail") }

    private struct Ports: Decodable {
        let starttls: Int
        let tls: Int
        let never: Int
    }

    private struct Mail: Decodable {
        let from: String
        let to: [String]
        let hello: String
        let tls: Bool
        let user: String
        let headers: [[String]]
        let type: String
        let text: String
        let html: String
        let lines: Int
        let bareLineFeeds: Int
        let defects: [String]

        subscript(name: String) -> String? { headers.first { $0[0].lowercased() == name }?[1] }
    }

    private func notifier(
        _ server: (Ports) -> String = { "smtp://localhost:\($0.starttls)" }, password: String = "the password",
        trusted: Bool = true
    ) async throws -> EmailNotifier {
        let url = server(try await self.server.shown("/ports"))
        let authority = trusted ? self.server.authority : nil
        return EmailNotifier(
            server: MailServer(
                url: url, user: "registry", password: password, certificateAuthorityFile: authority),
            from: "alerts@registry.example", publicURL: "https://registry.example", clock: clock.wallClock
        )
    }

    private func alert(_ address: String = "me@owner.example") -> ClaimedAlert {
        .sample(.email, address, created: clock.now)
    }

    private func mails() async throws -> [Mail] { try await server.shown("/") }

    @Test(
        "an alert arrives complete, over TLS, with a login", arguments: [true, false])
    func delivered(startsPlain: Bool) async throws {
        let notifier = try await notifier {
            startsPlain ? "smtp://localhost:\($0.starttls)" : "smtps://localhost:\($0.tls)"
        }
        let alert = alert()
        #expect(await notifier.deliver(alert) == .delivered)
        let mail = try #require(try await mails().first)
        #expect(mail.tls && mail.user == "registry" && mail.hello == "registry.example")
        #expect(mail.from == "alerts@registry.example" && mail.to == ["me@owner.example"])
        #expect(mail.type == "multipart/alternative" && mail.defects == [] && mail.bareLineFeeds == 0)
        #expect(mail.lines <= 998)
        #expect(mail["subject"] == alert.text.title)
        #expect(mail["message-id"] == "<\(alert.id)@registry.example>")
        #expect(mail["date"] == "Sat, 21 Nov 2026 12:00:00 +0000")
        #expect(mail["auto-submitted"] == "auto-generated")
        for paragraph in alert.text.paragraphs {
            #expect(mail.text.replacing("\r\n", with: "\n").contains(paragraph))
        }
        #expect(mail.html.contains("<h1") && !mail.html.contains("<img") && !mail.html.contains("<script"))
    }

    @Test("a mail's reader can unsubscribe with one click, which posts to a link with a secret code")
    func unsubscribe() async throws {
        #expect(await (try await notifier()).deliver(alert()) == .delivered)
        let mail = try #require(try await mails().first)
        #expect(mail["list-unsubscribe-post"] == "List-Unsubscribe=One-Click")
        let link = try #require(mail["list-unsubscribe"]).dropFirst().dropLast()
        let channel = alert().channel
        #expect(link.hasPrefix("https://registry.example/v1/unsubscription/\(channel.id)?code="))
        let code = String(try #require(link.split(separator: "=").last))
        let right = ChannelCode(.unsubscription, of: channel.id, at: channel.address, secret: channel.secret)
        #expect(right.accepts(code, at: clock.now))
        #expect(mail.text.contains(link))
    }

    @Test("a verification mail has the link, and no unsubscribe link")
    func verification() async throws {
        var alert = alert()
        alert.content = .notice(
            OwnerNotice(.channelVerification, subject: "https://registry.example/v1/verification/x"))
        #expect(await (try await notifier()).deliver(alert) == .delivered)
        let mail = try #require(try await mails().first)
        #expect(mail["list-unsubscribe"] == nil)
        #expect(mail.text.contains("https://registry.example/v1/verification/x"))
        #expect(mail.html.contains("href=\"https://registry.example/v1/verification/x\""))
    }

    @Test("the name of a bike is one line in the header, and escaped in the page")
    func hostileTexts() async throws {
        var alert = alert()
        var bike = Samples.bikeSummary
        bike.model = "Größe <b>x</b>\r\nBcc: everyone@example.org\r\n.\r\n日本語日本語日本語"
        alert.content = .notice(OwnerNotice(.reportClosed, bike: bike, subject: "\r\n.\r\nQUIT\r\n<script>"))
        #expect(await (try await notifier()).deliver(alert) == .delivered)
        let mail = try #require(try await mails().first)
        #expect(mail["bcc"] == nil && mail.defects == [])
        #expect(mail.to == ["me@owner.example"])
        #expect(mail.text.contains("日本語") && mail.text.contains("<b>x</b>"))
        #expect(mail.html.contains("&lt;b&gt;x") && !mail.html.contains("<script>") && !mail.html.contains("<b>"))
    }

    @Test(
        "the server's reply determines the outcome, and is not repeated",
        arguments: [
            ("missing", DeliveryResult.gone(reason: "the mailbox does not exist (550 5.1.1)")),
            ("later", .retry(after: nil, reason: "the mail server asks to wait (451 4.3.0)")),
            ("policy", .giveUp(reason: "the mail server refused the message (554 5.7.1)")),
        ])
    func refusals(name: String, result: DeliveryResult) async throws {
        let notifier = try await notifier()
        #expect(await notifier.deliver(alert("\(name)@owner.example")) == result)
        // The connection stays usable.
        #expect(await notifier.deliver(alert()) == .delivered)
    }

    @Test("a refused login is for the operator to fix, and the alert waits")
    func login() async throws {
        guard case .retry(nil, let reason) = await (try await notifier(password: "wrong")).deliver(alert()) else {
            Issue.record("expected another attempt")
            return
        }
        #expect(reason.contains("refuses the registry") && reason.contains("535"))
    }

    @Test("without trusted TLS neither the password nor the mail is sent")
    func encryption() async throws {
        for notifier in [
            try await notifier({ "smtp://localhost:\($0.never)" }), try await notifier(trusted: false),
        ] {
            guard case .retry(nil, let reason) = await notifier.deliver(alert()) else {
                Issue.record("expected another attempt")
                return
            }
            #expect(reason.contains("TLS"))
        }
        #expect(try await mails().isEmpty)
    }
}
