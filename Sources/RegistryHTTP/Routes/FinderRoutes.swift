import HTTPTypes
import Hummingbird
import Logging
import Registry
import RegistryAPI
import Syntax

/// The pages for people who have found a bike. No page depends on whether a code or a beacon belongs to a bike.
///
/// A conversation's secret is in the path, because nothing else reaches the server without JavaScript. It appears in no
/// log of the registry, which logs routes and not paths.
struct FinderRoutes {
    let operations: RegistryOperations
    let proxies: TrustedProxies

    static let form = "/found"
    private static let conversation = "/messages/:secret"
    /// The conversation's route as the limits name it.
    static let endpoint = "/messages/{secret}"

    static func path(of secret: ConversationSecret) -> String { "/messages/\(secret.text)" }

    func add(to routes: Routes<RegistryContext>) {
        routes.get(Self.form, showForm)
        routes.get(Self.form + "/:code", showForm)
        routes.post(Self.form, begin)
        routes.get(Self.conversation, show)
        routes.post(Self.conversation, act)
    }

    @Sendable private func showForm(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let query = request.uri.queryParameters
        func value(_ name: Substring) -> String { String((query[name] ?? "").prefix(64)) }
        let typed = context.parameters.get("code") ?? value("code")
        let code = String((StickerCode(typed: typed)?.text ?? typed).prefix(64))
        let form = FinderForm(
            code: code, uuid: value("uuid"), major: value("major"), minor: value("minor"),
            key: operations.newConversationSecret())
        let isWrong = !code.isEmpty && !form.isCodeKnown
        return FinderPage.form(form, request.finderTexts, fault: isWrong ? .code : nil).response()
    }

    @Sendable private func begin(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let (fields, texts) = (try await request.form(), request.finderTexts)
        let form = FinderForm(
            code: fields["code"], uuid: fields["uuid"], major: fields["major"], minor: fields["minor"],
            message: fields["message"], key: operations.newConversationSecret())
        // The page has a new secret, in case the one that came is known to somebody else.
        func refused(_ fault: FinderForm.Fault) -> Response {
            FinderPage.form(form, texts, fault: fault).response(.unprocessableContent)
        }
        switch form.found {
        case .failure(let fault): return refused(fault)
        case .success(let found):
            guard let draft = MessageDraft(form: form.message) else { return refused(.message) }
            let address = proxies.client(peer: context.peer, headers: request.headers)
            let key: ConversationSecret
            do {
                key = try await operations.beginConversation(
                    ConversationSecret(fields["key"]) ?? form.key, about: found, draft,
                    from: address.map { ($0.subscriber, $0.area) })
            } catch DomainError.message(let refusal) {
                return FinderPage.message(texts.failed, texts.refusal(refusal, deleted: nil), texts)
                    .response(.tooManyRequests)
            }
            return Self.see(key)
        }
    }

    @Sendable private func show(_ request: Request, _ context: RegistryContext) async throws -> Response {
        guard let (_, conversation) = try await find(context) else { return Self.unknown(request) }
        return FinderPage.conversation(conversation, request.finderTexts, at: operations.clock.now).response()
    }

    /// What the finder does with a conversation. A browser that repeats the form writes nothing twice.
    @Sendable private func act(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let fields = try await request.form()
        guard let (secret, conversation) = try await find(context) else { return Self.unknown(request) }
        func page(_ conversation: Conversation, isInvalid: Bool = false) -> FinderPage {
            .conversation(
                conversation, request.finderTexts, at: operations.clock.now, message: fields["message"],
                isInvalid: isInvalid)
        }
        switch fields["action"] {
        case "end", "report":
            do {
                try await operations.endConversation(secret, isReported: fields["action"] == "report")
            } catch DomainError.message(let refusal) {
                let texts = request.finderTexts
                let link = FinderPage.Link(path: Self.path(of: secret), text: texts.back)
                return FinderPage.message(texts.failed, texts.refusal(refusal, deleted: nil), texts, link)
                    .response(.conflict)
            }
        default:
            guard let draft = MessageDraft(form: fields["message"]) else {
                return page(conversation, isInvalid: true).response(.unprocessableContent)
            }
            do {
                let address = proxies.client(peer: context.peer, headers: request.headers)
                try await operations.write(draft, in: secret, from: address?.subscriber)
            } catch DomainError.message {
                return page(try await operations.conversation(secret) ?? conversation).response(.conflict)
            }
        }
        return Self.see(secret)
    }

    /// Leads to the page of a conversation, whose address is the one to keep.
    static func see(_ secret: ConversationSecret) -> Response {
        Response(status: .seeOther, headers: [.location: path(of: secret), .cacheControl: "no-store"])
    }

    private func find(_ context: RegistryContext) async throws -> (ConversationSecret, Conversation)? {
        guard let secret = context.parameters.get("secret").flatMap({ ConversationSecret($0) }),
            let conversation = try await operations.conversation(secret)
        else { return nil }
        return (secret, conversation)
    }

    private static func unknown(_ request: Request) -> Response {
        let texts = request.finderTexts
        return FinderPage.message(texts.unknown, texts.unknownHint, texts).response(.notFound)
    }
}

/// Shows problems as pages: a finder is a person, not a program.
struct FinderProblems: RouterMiddleware {
    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as any Refusal {
            let (problem, texts) = (refusal.problem, request.finderTexts)
            refusal.log(to: context.logger)
            let check = request.uri.path.begins(with: CheckRoutes.form) ? CheckTexts(texts.language) : nil
            let hint =
                switch refusal {
                case RequestError.tooManyRequests(let seconds): check?.tooMany(seconds) ?? texts.tooFast(seconds)
                case RequestError.crossSite: texts.foreign
                default: check?.failed ?? texts.failedHint
                }
            let link = check.map { FinderPage.Link(path: CheckRoutes.form, text: $0.another) }
            return FinderPage.message(texts.failed, hint, texts, link).response(problem.status, problem: problem)
        }
    }
}

extension Request {
    var finderTexts: FinderTexts { FinderTexts(pageLanguage) }
}
