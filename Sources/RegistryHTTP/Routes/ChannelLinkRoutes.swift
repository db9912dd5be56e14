import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The pages behind links in e-mails. A page only shows something and its button acts, because mail scanners follow
/// every link but press no button. Mail programs post directly to the unsubscribe link, without the page (RFC 8058).
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
            let texts = ChannelPageTexts(purpose, request.pageLanguage, address: linked.channel.address)
            return LinkPage(
                language: request.pageLanguage, title: texts.title, text: texts.question, button: texts.button
            )
        }
    }

    private func act(
        _ purpose: ChannelCode.Purpose, _ request: Request, _ context: RegistryContext
    ) async throws -> Response {
        try await answering(purpose, request, context) { id, code in
            let linked = try await operations.channel(id, by: code, for: purpose)
            try await operations.answer(purpose, for: id, by: code)
            let texts = ChannelPageTexts(purpose, request.pageLanguage, address: linked.channel.address)
            return LinkPage(language: request.pageLanguage, title: texts.title, text: texts.done)
        }
    }

    /// Responds with the same page for every invalid link, whatever the reason.
    private func answering(
        _ purpose: ChannelCode.Purpose, _ request: Request, _ context: RegistryContext,
        _ page: (ChannelID, String) async throws -> LinkPage
    ) async throws -> Response {
        do {
            let code = request.uri.queryParameters["code"].map(String.init)
            guard let code, let id = context.parameters.get("channel").flatMap({ ChannelID($0) }) else {
                throw DomainError.codeUnusable
            }
            return try await page(id, code).response()
        } catch DomainError.codeUnusable {
            let texts = ChannelPageTexts(purpose, request.pageLanguage, address: "")
            return LinkPage(language: request.pageLanguage, title: texts.title, text: texts.unusable)
                .response(.forbidden)
        }
    }
}
