import Foundation
public import HTTPClient
import Languages
public import RegistryAPI
public import RegistryRules
import Syntax

/// Hands alerts to the operator's mail server, which sends them on (and may sign them).
public struct EmailNotifier: Notifier {
    private let sender: String
    private let publicURL: String
    private let connections: MailConnections
    private let clock: WallClock
    public let longestDelivery: Duration

    /// - Parameters:
    ///   - server: the operator's mail server; its timeout is that of a delivery.
    ///   - sender: the address that mail is sent from; delivery failures reported later go there, too.
    ///   - publicURL: the registry's public URL, the beginning of links.
    public init(server: MailServer, from sender: String, publicURL: String, clock: WallClock = .system) {
        self.sender = sender
        self.publicURL = publicURL
        self.clock = clock
        longestDelivery = server.timeout
        var server = server
        // libcurl sends the URL's path as its name in EHLO (RFC 5321, section 4.1.1.1).
        server.url += "/\(MailAddress.domain(of: sender))"
        connections = MailConnections(server)
    }

    public var kind: ChannelKind { .email }

    /// Whether a text is an address that the registry accepts.
    public static func isAddress(_ text: String) -> Bool { MailAddress.isUsable(text) }

    public func refusals(of draft: ChannelDraft) -> [FieldError] {
        guard !MailAddress.isUsable(draft.address) else { return [] }
        return [FieldError(pointer: "/url", detail: "must be an e-mail address as in me@example.org, in ASCII")]
    }

    public func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
        guard MailAddress.isUsable(alert.channel.address) else { return .giveUp(reason: "the address cannot be used") }
        do {
            let message = message(for: alert).bytes
            let outcome = try await connections.withConnection {
                try await $0.send(message, from: sender, to: alert.channel.address)
            }
            return Self.result(of: outcome)
        } catch {
            return .retry(after: nil, reason: "the delivery was interrupted")
        }
    }

    func message(for alert: ClaimedAlert) -> MailMessage {
        let text = alert.text
        let domain = MailAddress.domain(of: sender)
        let unsubscribe = unsubscribeLink(for: alert, text.language)
        var message = MailMessage(
            text: MailLayout.plain(text, unsubscribe: unsubscribe),
            html: MailLayout.html(text, unsubscribe: unsubscribe)
        )
        message.headers = [
            ("From", "FindMyBike <\(sender)>"), ("To", "<\(alert.channel.address)>"),
            ("Subject", MailMessage.encoded(text.title)), ("Date", MailMessage.date(clock.now)),
            // The same at each attempt, so that receivers recognise a repeated message.
            ("Message-ID", "<\(alert.id)@\(domain)>"), ("Auto-Submitted", "auto-generated"),
            ("Content-Language", text.language.rawValue),
        ]
        // Group the messages of one visit into one conversation.
        if case .sighting = alert.content { message.headers.append(("References", "<\(alert.collapse)@\(domain)>")) }
        if alert.isUrgent { message.headers.append(("Importance", "high")) }
        if let unsubscribe {
            message.headers.append(("List-Unsubscribe", "<\(unsubscribe.url)>"))
            message.headers.append(("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
        }
        return message
    }

    /// The link that ends alerts; nil if the address gets no alerts yet.
    private func unsubscribeLink(for alert: ClaimedAlert, _ language: AlertLanguage) -> AlertText.Link? {
        if case .notice(let notice) = alert.content, notice.event == .channelVerification { return nil }
        let channel = alert.channel
        let code = ChannelCode(.unsubscription, of: channel.id, at: channel.address, secret: channel.secret)
        return AlertText.Link(label: MailWords(language).unsubscribe, url: code.link(at: publicURL, alert.created))
    }

    /// What an SMTP outcome means for the alert (RFC 5321, section 4.2.1): 4yz is retried, 5yz is not. A refused login
    /// is the operator's to fix, so it is retried.
    static func result(of outcome: MailOutcome) -> DeliveryResult {
        guard !outcome.isTaken else { return .delivered }
        // Without TLS, the message was not sent, so the reply does not refuse it.
        guard outcome.reply != 0, outcome.code != Self.tlsFailed else {
            return .retry(after: nil, reason: DeliveryResult.reason(outcome.code))
        }
        let status = ["\(outcome.reply)", outcome.enhanced].compactMap { $0 }.joined(separator: " ")
        guard outcome.code != Self.loginDenied else {
            return .retry(after: nil, reason: "the mail server refuses the registry (\(status)): ask its operator")
        }
        switch outcome.reply {
        case 500..<600 where outcome.enhanced == "5.1.1":
            return .gone(reason: "the mailbox does not exist (\(status))")
        case 500..<600: return .giveUp(reason: "the mail server refused the message (\(status))")
        case 400..<500: return .retry(after: nil, reason: "the mail server asks to wait (\(status))")
        default: return .retry(after: nil, reason: DeliveryResult.reason(outcome.code))
        }
    }

    /// CURLE_USE_SSL_FAILED and CURLE_LOGIN_DENIED of libcurl-errors(3).
    private static let tlsFailed: UInt32 = 64
    private static let loginDenied: UInt32 = 67
}
