import HTTPTypes
import Hummingbird
import Languages
import Logging
import RegistryAPI
import RegistryRules
import Syntax

/// Shows problems as pages: a finder is a person, not a program. A language that is chosen by a link is kept for a year, as
/// the owners' pages do.
struct FinderProblems: RouterMiddleware {
    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        do {
            var response = try await next(request, context)
            if let language = request.linkedLanguage {
                response.headers[.setCookie] = "language=\(language.rawValue); Path=/; Max-Age=31536000; SameSite=Lax"
            }
            return response
        } catch let refusal as any Refusal {
            let (problem, texts) = (refusal.problem, request.finderTexts)
            refusal.log(to: context.logger)
            let path = request.uri.path
            let check = path.begins(with: CheckCalls.form) ? CheckWords(texts.language) : nil
            let followed = path.begins(with: SafetyCalls.form) ? FollowedWords(texts.language) : nil
            let hint =
                switch refusal {
                case RequestError.tooManyRequests(let seconds):
                    check?.tooMany(texts.wait(seconds)) ?? followed?.tooMany(texts.wait(seconds))
                        ?? texts.tooFast(texts.wait(seconds))
                case RequestError.crossSite: texts.foreign
                default: check?.failed ?? followed?.failed ?? texts.failedHint
                }
            let link =
                check.map { FinderPage.Link(path: CheckCalls.form, text: $0.another) }
                ?? followed.map { FinderPage.Link(path: SafetyCalls.form, text: $0.back) }
            return FinderPage.message(texts.failed, hint, texts, link).response(problem.status, problem: problem)
        }
    }
}

extension CallDeclaration {
    /// Describes the pages that ``FinderProblems`` shows. It comes last, since they depend on the body.
    var asPage: CallDeclaration {
        let hasBody = call.body != nil
        let pages: [(HTTPResponse.Status, String, Bool)] = [
            (.badRequest, "The request is unreadable.", hasBody), (.forbidden, "Another site sent the form.", hasBody),
            (.notFound, "There is no such conversation.", call.path.contains(":")),
            (.requestTimeout, "The form took too long.", hasBody),
            (.contentTooLarge, "The form is too large.", hasBody),
            (.unsupportedMediaType, "The body is no form.", hasBody), (.tooManyRequests, "Too many requests.", true),
            (.serviceUnavailable, "The registry cannot do it now.", true),
        ]
        return pages.reduce(self) { $1.2 ? $0.givingPage($1.0, $1.1) : $0 }
    }
}
