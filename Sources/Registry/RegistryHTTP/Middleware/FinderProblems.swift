import HTTPTypes
import Hummingbird
import Languages
import Logging
import RegistryAPI
import RegistryRules
import Syntax

/// Shows problems as pages: a finder is a person, not a program. A language that is chosen by a link is kept for a
/// year, as the owners' pages do.
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
            refusal.log(to: context.logger)
            let (problem, texts) = (refusal.problem, request.finderTexts)
            let words = ProblemWords(for: request.uri.path, texts)
            let hint =
                switch refusal {
                case RequestError.tooManyRequests(let seconds): words.tooMany(texts.wait(seconds))
                case RequestError.crossSite: texts.foreign
                default: words.failed
                }
            return FinderPage.message(texts.failed, hint, texts, words.link)
                .response(problem.status, problem: problem)
        }
    }
}

/// What a problem's page says, by the page on which the problem happened.
private struct ProblemWords {
    /// The hint for most problems.
    let failed: String
    /// The hint for too many requests, with the words for the time to wait.
    let tooMany: (String) -> String
    /// Where the reader can continue; nil for the form for another bike.
    let link: FinderPage.Link?

    init(for path: String, _ texts: FinderWords) {
        if path.begins(with: CheckCalls.form) {
            let words = CheckWords(texts.language)
            failed = words.failed
            tooMany = { words.tooMany($0) }
            link = FinderPage.Link(path: CheckCalls.form, text: words.another)
        } else if path.begins(with: SafetyCalls.form) {
            let words = FollowedWords(texts.language)
            failed = words.failed
            tooMany = { words.tooMany($0) }
            link = FinderPage.Link(path: SafetyCalls.form, text: words.back)
        } else {
            failed = texts.failedHint
            tooMany = { texts.tooFast($0) }
            link = nil
        }
    }
}

extension CallDeclaration {
    /// Describes the pages that ``FinderProblems`` shows. It comes last, since they depend on the body.
    var asPage: CallDeclaration {
        var declaration = self
        if call.body != nil {
            declaration = declaration.givingPage(.badRequest, "The request is unreadable.")
                .givingPage(.forbidden, "Another site sent the form.")
        }
        if call.path.has(":") {
            declaration = declaration.givingPage(.notFound, "There is no such conversation.")
        }
        if call.body != nil {
            declaration = declaration.givingPage(.requestTimeout, "The form took too long.")
                .givingPage(.contentTooLarge, "The form is too large.")
                .givingPage(.unsupportedMediaType, "The body is no form.")
        }
        return declaration.givingPage(.tooManyRequests, "Too many requests.")
            .givingPage(.serviceUnavailable, "The registry cannot do it now.")
    }
}
