import HTTPTypes
import Hummingbird
import Languages
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The pages for people who have found a bike. No page depends on whether a code or a beacon belongs to a bike.
///
/// A conversation's secret is in the path, because nothing else reaches the server without JavaScript. It appears in no
/// log of the registry, which logs routes and not paths.
struct FinderCalls {
    let operations: RegistryOperations
    let proxies: TrustedProxies

    /// The page with the form, to which it posts, too.
    static let form = "/found"
    /// The folder of the conversations' pages.
    static let messages = "/messages"

    /// The page of a conversation.
    static func path(of secret: ConversationSecret) -> String { "\(messages)/\(secret.text)" }

    /// Where photos of a conversation are added, and the folder of their pictures.
    static func photos(of secret: ConversationSecret) -> String { "\(path(of: secret))/photos" }

    /// Where the page of a conversation asks for new messages.
    static func news(of secret: ConversationSecret) -> String { "\(path(of: secret))/news" }

    func add(to calls: Calls<RegistryContext>) {
        addForm(to: calls)
        addConversation(to: calls)
    }

    private func addForm(to calls: Calls<RegistryContext>) {
        calls.get(
            Self.form, "Show the form for a bike that was found",
            "`code`, or `uuid`, `major` and `minor` in the query fill it in. It is the same for every bike."
        )
        .givingPage(.ok, "A form for people.").asPage.responding { emptyForm($0) }

        calls.get(Self.form + "/:code", "Show the form for a sticker’s code")
            .with(.stickerCode)
            .givingPage(.ok, "A form for people, the same for every code.").asPage.responding { emptyForm($0) }

        calls.post(
            Self.form, "Write to the owner of a bike that was found",
            "The response is the same whether or not the code or the beacon belongs to a bike."
        )
        .limited(.messages)
        .takingForm("FoundBike", ["code", "uuid", "major", "minor", "message", "key"], required: ["message"])
        .giving(.seeOther, "It is sent; the conversation’s page follows.", headers: [.location])
        .givingPage(.unprocessableContent, "The form, with what is wrong.").asPage
        .responding { try await beginConversation($0) }
    }

    /// The form, with the code or the beacon of the address.
    private func emptyForm(_ request: CallRequest<RegistryContext, Void>) -> Response {
        let query = request.http.uri.queryParameters
        func value(_ name: Substring) -> String { String((query[name] ?? "").prefix(64)) }
        let typed = request.context.parameters.get("code") ?? value("code")
        let code = String((StickerCode(typed: typed)?.text ?? typed).prefix(64))
        let form = FinderForm(
            code: code, uuid: value("uuid"), major: value("major"), minor: value("minor"),
            key: operations.newConversationSecret())
        let isWrong = !code.isEmpty && !form.isCodeKnown
        return FinderPage.form(form, request.http.finderTexts, fault: isWrong ? .code : nil).response()
    }

    /// Writes the first message of a conversation.
    private func beginConversation(_ request: CallRequest<RegistryContext, FormFields>) async throws -> Response {
        let (fields, texts) = (request.body, request.http.finderTexts)
        let form = FinderForm(
            code: fields["code"], uuid: fields["uuid"], major: fields["major"], minor: fields["minor"],
            message: fields["message"], key: operations.newConversationSecret())
        // The page has a new secret, in case somebody else knows the one in the request.
        func refused(_ fault: FinderForm.Fault) -> Response {
            FinderPage.form(form, texts, fault: fault).response(.unprocessableContent)
        }
        switch form.found {
        case .failure(let fault): return refused(fault)
        case .success(let found):
            guard let draft = MessageDraft(form: form.message) else { return refused(.message) }
            let network = proxies.network(peer: request.context.peer, headers: request.http.headers)
            let key: ConversationSecret
            do {
                key = try await operations.beginConversation(
                    ConversationSecret(fields["key"]) ?? form.key, about: found, draft, from: network)
            } catch DomainError.message(let refusal) {
                return FinderPage.message(texts.failed, texts.refusal(refusal, deleted: nil), texts)
                    .response(.tooManyRequests)
            }
            return Self.see(key)
        }
    }

    private func addConversation(to calls: Calls<RegistryContext>) {
        let path = Self.messages + "/:secret"
        calls.get(path, "Show a finder’s conversation")
            .with(.conversationSecret)
            .givingPage(.ok, "The conversation, with a form for the next message.").asPage
            .responding { request in
                guard let (secret, conversation) = try await findConversation(request) else {
                    return Self.unknownConversation(request.http)
                }
                let texts = request.http.finderTexts
                return FinderPage.conversation(conversation, secret, texts, at: operations.clock.now).response()
            }

        calls.post(
            path, "Write in a finder’s conversation, or end or report it", "`action` is `send`, `end` or `report`."
        )
        .limited(.messages)
        .with(.conversationSecret)
        .takingForm("FinderMessage", ["action", "message"], required: [])
        .giving(.seeOther, "It is done; the conversation’s page follows.", headers: [.location])
        .givingPage(.unprocessableContent, "The conversation, with what is wrong.")
        .givingPage(.conflict, "The conversation, with the reason why nothing was written.").asPage
        .responding { try await changeConversation($0) }
    }

    /// The page of a conversation makes this call every ten seconds while it is visible. The response is the same
    /// whether or not the conversation belongs to a bike.
    func addNews(to calls: Calls<RegistryContext>) {
        calls.get(
            Self.messages + "/:secret/news", "Get the messages of a finder’s conversation",
            "For the conversation’s page, which asks again while it is seen."
        )
        .with(.conversationSecret).refusing(.notFound("conversation"))
        .showing(Example.conversationNews, "The messages, and whether the finder can write now.") { request in
            guard let (_, conversation) = try await findConversation(request) else {
                throw DomainError.notFound("conversation")
            }
            return ConversationNews(
                messages: conversation.messages, photos: conversation.photos,
                writable: conversation.refusal(of: .finder, at: operations.clock.now) == nil)
        }
    }

    /// A finder's act on a conversation. A browser that repeats the form writes nothing twice.
    private func changeConversation(_ request: CallRequest<RegistryContext, FormFields>) async throws -> Response {
        let (fields, texts) = (request.body, request.http.finderTexts)
        guard let (secret, conversation) = try await findConversation(request) else {
            return Self.unknownConversation(request.http)
        }
        func page(_ conversation: Conversation, isInvalid: Bool = false) -> FinderPage {
            .conversation(
                conversation, secret, texts, at: operations.clock.now, message: fields["message"], isInvalid: isInvalid)
        }
        switch fields["action"] {
        case "end", "report":
            do {
                try await operations.endConversation(secret, isReported: fields["action"] == "report")
            } catch DomainError.message(let refusal) {
                let link = FinderPage.Link(path: Self.path(of: secret), text: texts.back)
                return FinderPage.message(texts.failed, texts.refusal(refusal, deleted: nil), texts, link)
                    .response(.conflict)
            }
        default:
            guard let draft = MessageDraft(form: fields["message"]) else {
                return page(conversation, isInvalid: true).response(.unprocessableContent)
            }
            do {
                let address = proxies.client(peer: request.context.peer, headers: request.http.headers)
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

    /// The conversation whose secret is in the path; nil if there is none.
    private func findConversation(
        _ request: CallRequest<RegistryContext, some Sendable>
    ) async throws -> (ConversationSecret, Conversation)? {
        guard let secret = request.context.conversationSecret,
            let conversation = try await operations.conversation(secret)
        else { return nil }
        return (secret, conversation)
    }

    /// The page for a secret of no conversation.
    private static func unknownConversation(_ request: Request) -> Response {
        let texts = request.finderTexts
        return FinderPage.message(texts.unknown, texts.unknownHint, texts).response(.notFound)
    }
}

extension Parameter {
    static let stickerCode = Parameter(
        name: "code", place: .path, summary: "The code on the sticker.", schema: .type("string"), isRequired: true)
    static let conversationSecret = Parameter(
        name: "secret", place: .path, summary: "The secret of the conversation’s address.", schema: .type("string"),
        isRequired: true)
}

extension Request {
    var finderTexts: FinderWords { FinderWords(pageLanguage) }
}
