import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// What links in e-mails lead to. A page shows, its button acts: programs that scan mail follow every link, but press
/// no button. Mail programs post to the link that ends messages, without the page (RFC 8058).
struct ChannelLinkRoutes {
    let operations: RegistryOperations

    func add(to routes: Routes<RegistryContext>) {
        for purpose in [ChannelCode.Purpose.verification, .unsubscription] {
            routes.get("/v1/\(purpose.rawValue)/:channel") { try await show(purpose, $0, $1) }
            routes.post("/v1/\(purpose.rawValue)/:channel") { try await act(purpose, $0, $1) }
        }
    }

    private func show(
        _ purpose: ChannelCode.Purpose, _ request: Request, _ context: RegistryContext
    ) async throws -> Response {
        try await answering(purpose, request, context) { id, code in
            let linked = try await operations.channel(id, by: code, for: purpose)
            let texts = ChannelPageTexts(purpose, request.pageLanguage, address: linked.channel.url)
            return HTMLPage(
                language: request.pageLanguage, title: texts.title, paragraphs: [texts.question], button: texts.button
            )
        }
    }

    private func act(
        _ purpose: ChannelCode.Purpose, _ request: Request, _ context: RegistryContext
    ) async throws -> Response {
        try await answering(purpose, request, context) { id, code in
            let linked = try await operations.channel(id, by: code, for: purpose)
            try await operations.answer(purpose, for: id, by: code)
            let texts = ChannelPageTexts(purpose, request.pageLanguage, address: linked.channel.url)
            return HTMLPage(language: request.pageLanguage, title: texts.title, paragraphs: [texts.done])
        }
    }

    /// Whatever is wrong with a link, its reader gets the same page.
    private func answering(
        _ purpose: ChannelCode.Purpose, _ request: Request, _ context: RegistryContext,
        _ page: (ChannelID, String) async throws -> HTMLPage
    ) async throws -> Response {
        do {
            let code = request.uri.queryParameters["code"].map(String.init)
            guard let code, let id = context.parameters.get("channel").flatMap({ ChannelID($0) }) else {
                throw DomainError.codeUnusable
            }
            return .page(try await page(id, code))
        } catch DomainError.codeUnusable {
            let texts = ChannelPageTexts(purpose, request.pageLanguage, address: "")
            let page = HTMLPage(language: request.pageLanguage, title: texts.title, paragraphs: [texts.unusable])
            return .page(page, status: .notFound)
        }
    }
}

extension Request {
    /// The language of a browser, as far as there are words in it: the first that it names.
    fileprivate var pageLanguage: AlertLanguage {
        let wanted = headers[.acceptLanguage]?.split(separator: ",").map {
            $0.drop { $0 == " " }.prefix(2).lowercased()
        }
        return wanted?.lazy.compactMap(AlertLanguage.init(rawValue:)).first ?? .en
    }
}
