import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The page behind the link in an alert. Viewing it changes nothing, since mail scanners open every link; its button
/// acknowledges the alert's sightings. The link's code can do nothing else.
struct AcknowledgementRoutes {
    let operations: RegistryOperations

    static let path = "/acknowledge/:alert/:code"

    func add(to routes: Routes<RegistryContext>) {
        routes.get(Self.path, show)
        routes.post(Self.path, acknowledge)
    }

    @Sendable private func show(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let (alert, code) = try link(context)
        guard let language = try await operations.reader(ofLinkTo: alert, code: code) else {
            return Self.unusable(request)
        }
        let words = AcknowledgementWords(language)
        return LinkPage(language: language, title: words.title, text: words.question, button: words.button).response()
    }

    /// The form is empty: the address contains everything.
    @Sendable private func acknowledge(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let (alert, code) = try link(context)
        guard let language = try await operations.acknowledge(linkTo: alert, code: code) else {
            return Self.unusable(request)
        }
        let words = AcknowledgementWords(language)
        return LinkPage(language: language, title: words.title, text: words.done).response()
    }

    private func link(_ context: RegistryContext) throws -> (alert: String, code: String) {
        (try context.parameters.require("alert"), try context.parameters.require("code"))
    }

    /// The page for every link that does not work. Its language is the browser's, since the link belongs to nobody.
    private static func unusable(_ request: Request) -> Response {
        let words = AcknowledgementWords(request.pageLanguage)
        return LinkPage(language: request.pageLanguage, title: words.title, text: words.unusable).response(.forbidden)
    }
}
