public import Hummingbird

/// Responds to all requests: those for the missing list and for the pages by separate responders, all others by the
/// router. A person who follows a wrong address gets a page.
public struct RegistryResponder: HTTPResponder {
    let missingList: MissingListResponder
    let pages: PageResponder
    let router: RouterResponder<RegistryContext>

    public func respond(to request: Request, context: RegistryContext) async throws -> Response {
        if missingList.serves(request) { return try await missingList.respond(to: request, context: context) }
        if pages.serves(request) { return try await pages.respond(to: request, context: context) }
        let response = try await router.respond(to: request, context: context)
        guard pages.isWrongAddress(request, response) else { return response }
        return pages.missing(request, response, context)
    }
}
