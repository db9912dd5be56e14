import HTTPTypes
import Hummingbird
import Languages
import Operations
import RegistryAPI
import RegistryRules

/// The pages behind links in messages. A page only shows something and its button acts, because mail scanners follow
/// every link but press no button. Mail programs post directly to the unsubscribe link, without the page (RFC 8058).
struct LinkCalls {
    let operations: RegistryOperations

    func add(to calls: Calls<RegistryContext>) {
        addAcknowledgement(to: calls)
        add(to: calls, .verification, "Confirm that an e-mail address is yours")
        add(to: calls, .unsubscription, "Stop messages to an e-mail address")
    }
}

// The link in an alert, whose code can do nothing else.
extension LinkCalls {
    private func addAcknowledgement(to calls: Calls<RegistryContext>) {
        let path = "/acknowledge/:alert/:code"
        calls.get(path, "Show the page behind an alert’s link", "It changes nothing.")
            .givingPage(.ok, "A page with a button.").givingPage(.forbidden, "The link does not work.")
            .responding { request in
                let (alert, code) = try Self.link(request.context)
                guard let language = try await operations.reader(ofLinkTo: alert, code: code) else {
                    return Self.unusable(request.http)
                }
                let words = AcknowledgementWords(language)
                return LinkPage(language: language, title: words.title, text: words.question, button: words.button)
                    .response()
            }

        // The form is empty: the address contains everything.
        calls.post(
            path, "Acknowledge an alert",
            "The button on the page behind the alert’s link, which needs no token and can do nothing else."
        )
        .limited(.codes)
        .givingPage(.ok, "The alert’s sightings are acknowledged.").givingPage(.forbidden, "The link does not work.")
        .responding { request in
            let (alert, code) = try Self.link(request.context)
            guard let language = try await operations.acknowledge(linkTo: alert, code: code) else {
                return Self.unusable(request.http)
            }
            let words = AcknowledgementWords(language)
            return LinkPage(language: language, title: words.title, text: words.done).response()
        }
    }

    /// The parameters of the path.
    private static func link(_ context: RegistryContext) throws -> (alert: String, code: String) {
        (try context.parameters.require("alert"), try context.parameters.require("code"))
    }

    /// The page for every link that does not work. Its language is the browser's, since the link belongs to no owner.
    private static func unusable(_ request: Request) -> Response {
        let words = AcknowledgementWords(request.pageLanguage)
        return LinkPage(language: request.pageLanguage, title: words.title, text: words.unusable).response(.forbidden)
    }
}

// The links in e-mails about their address.
extension LinkCalls {
    /// - Parameter summary: what the link does, as an imperative.
    private func add(to calls: Calls<RegistryContext>, _ purpose: ChannelCode.Purpose, _ summary: String) {
        let path = "/v1/\(purpose.rawValue)/:channel"
        calls.get(path, summary, "A page with a button that does it.")
            .linked
            .responding { request in
                try await Self.answering(purpose, request) { id, code in
                    let linked = try await operations.channel(id, by: code, for: purpose)
                    let (language, address) = (request.http.pageLanguage, linked.channel.address)
                    let texts = ChannelPageTexts(purpose, language, address: address)
                    return LinkPage(
                        language: language, title: texts.title, text: texts.question, button: texts.button)
                }
            }

        calls.post(path, "\(summary): do it", "Mail programs post here (RFC 8058).")
            .limited(.codes).linked
            .responding { request in
                try await Self.answering(purpose, request) { id, code in
                    let linked = try await operations.channel(id, by: code, for: purpose)
                    try await operations.answer(purpose, for: id, by: code)
                    let (language, address) = (request.http.pageLanguage, linked.channel.address)
                    let texts = ChannelPageTexts(purpose, language, address: address)
                    return LinkPage(language: language, title: texts.title, text: texts.done)
                }
            }
    }

    /// Responds with the page that a link's channel and code make; with the same page for every invalid link, whatever
    /// the reason.
    private static func answering(
        _ purpose: ChannelCode.Purpose, _ request: CallRequest<RegistryContext, Void>,
        _ page: (ChannelID, String) async throws -> LinkPage
    ) async throws -> Response {
        do {
            let code = request.http.uri.queryParameters["code"].map(String.init)
            guard let code, let id = request.context.parameters.get("channel").flatMap({ ChannelID($0) }) else {
                throw DomainError.codeUnusable
            }
            return try await page(id, code).response()
        } catch DomainError.codeUnusable {
            let language = request.http.pageLanguage
            let texts = ChannelPageTexts(purpose, language, address: "")
            return LinkPage(language: language, title: texts.title, text: texts.unusable).response(.forbidden)
        }
    }
}

extension CallDeclaration {
    /// Describes a call behind a link in an e-mail.
    fileprivate var linked: CallDeclaration {
        with(.code).givingPage(.ok, "A page for people.").givingPage(.forbidden, "The link does not work.")
    }
}
