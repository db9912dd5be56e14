import Beacons
import HTTPTypes
import Hummingbird
import Languages
import OperatingSystem
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The pages for somebody who feels followed, and the operator's calls for what they write.
///
/// No page depends on the beacon's owner, or on whether its bike is missing. The identity that a beacon sends is in the
/// body of a request, never in an address, so it is in no log and no history.
struct SafetyCalls {
    let operations: RegistryOperations
    let proxies: TrustedProxies
    /// Look-ups count as checks of numbers do.
    let checks: CheckCalls

    /// The first page, with both forms.
    static let form = "/followed"
    /// Where the form of a look-up posts.
    static let beacon = form + "/beacon"
    /// Where the form for a message posts.
    static let message = form + "/message"
    /// The folder of the pages with what was written.
    private static let requests = form + "/requests"
    private static let fields = ["uuid", "major", "minor"]

    func addPages(to calls: Calls<RegistryContext>) {
        calls.get(Self.form, "Show what somebody who feels followed can do")
            .givingPage(.ok, "Steps, a look-up, and a form for a message to the operator.").asPage
            .responding { FinderPage.followed(form(FormFields([])), $0.http.followedTexts).response() }

        calls.post(
            Self.beacon, "Look up a beacon by what it sends",
            """
            Says whether this registry has issued these values, whatever became of the beacon, and nothing else. It does \
            not recognise rotating beacons. Nothing is stored. It counts as a check of a number.
            """
        )
        .limited(.checks)
        .takingForm("ReadBeacon", Self.fields, required: Self.fields)
        .givingPage(.ok, "Of this registry or not, with a form for a message to the operator.")
        .givingPage(.unprocessableContent, "The form, with what is wrong.").asPage
        .responding { try await lookUpBeacon($0) }

        calls.post(
            Self.message, "Write to the operator as somebody who feels followed",
            """
            With what a beacon sends, or without. At most \(SafetyRules.perNetwork) a day from one network about the same \
            beacon of this registry, and as many about all else. The page does not depend on the beacon.
            """
        )
        .limited(.followed)
        .takingForm("SafetyMessage", Self.fields + ["message", "key"], required: ["message"])
        .giving(.seeOther, "It is sent; the request’s page follows.", headers: [.location])
        .givingPage(.unprocessableContent, "The form, with what is wrong.").asPage
        .responding { try await writeToOperator($0) }

        // For people who reload the page after a form.
        for path in [Self.beacon, Self.message] {
            calls.get(path, "Go on to the first page for somebody who feels followed")
                .giving(.seeOther, "The first page follows.", headers: [.location])
                .responding { _ in Response(status: .seeOther, headers: [.location: Self.form]) }
        }

        calls.get(Self.requests + "/:secret", "Show what was written to the operator, with the answer")
            .with(
                Parameter(
                    name: "secret", place: .path, summary: "The secret of the page’s address.",
                    schema: .type("string"), isRequired: true)
            )
            .givingPage(.ok, "The message and the answer.").asPage
            .responding { request in
                let texts = request.http.followedTexts
                guard let secret = request.context.conversationSecret,
                    let found = try await operations.safetyRequest(secret)
                else { throw DomainError.notFound("request") }
                return FinderPage.request(found, texts).response()
            }
    }

    func add(to calls: Calls<OperatorContext>) {
        let path = "/v1/safety-requests"
        calls.get(path, "List open requests of people who feel followed", "The earliest first.")
            .listing(Example.safetyRequest, "A page of requests, with whose bike has the beacon now.") { _, page in
                try await operations.store.safetyRequests(page)
            }

        calls.put(
            path + "/:request/closure", "Close a request of somebody who feels followed",
            """
            The answer, if there is one, is shown on the page of the request for 30 days. Closing it again changes \
            nothing. It does not stop a search: that is `PUT /v1/beacons/{identity}/stop`.
            """
        )
        .taking(SafetyClosure(answer: "We have stopped this beacon."), .optional)
        .answering(Example.closedSafetyRequest, "The request as it is now.") { request in
            try await operations.close(try request.id("request"), request.body, by: request.operator)
        }
    }

    /// The form as it was filled in; the values of a beacon are cut to a length that shows what is wrong.
    private func form(_ fields: FormFields) -> FinderForm {
        func value(_ name: String) -> String { String(fields[name].prefix(64)) }
        return FinderForm(
            uuid: value("uuid"), major: value("major"), minor: value("minor"), message: fields["message"],
            key: operations.newConversationSecret())
    }

    /// Answers whether this registry has issued the identity in the form.
    private func lookUpBeacon(_ request: CallRequest<RegistryContext, FormFields>) async throws -> Response {
        let (form, texts) = (form(request.body), request.http.followedTexts)
        guard case .success(.beacon(let beacon)) = form.found else {
            return FinderPage.followed(form, texts, fault: .lookUp).response(.unprocessableContent)
        }
        try checks.admit(request)
        return FinderPage.looked(form, isIssued: try await operations.isIssued(beacon), texts).response()
    }

    private func writeToOperator(_ request: CallRequest<RegistryContext, FormFields>) async throws -> Response {
        let (form, texts) = (form(request.body), request.http.followedTexts)
        func refused(_ fault: FinderPage.FollowedFault, _ status: HTTPResponse.Status) -> Response {
            FinderPage.followedAgain(form, texts, fault).response(status)
        }
        var beacon: BeaconIdentity?
        if form.hasBeacon {
            guard case .success(.beacon(let read)) = form.found else { return refused(.beacon, .unprocessableContent) }
            beacon = read
        }
        guard let draft = MessageDraft(form: form.message) else { return refused(.message, .unprocessableContent) }
        let network = proxies.network(peer: request.context.peer, headers: request.http.headers)
        do {
            try await admit(request, about: beacon)
        } catch RequestError.tooManyRequests(let seconds) {
            let refusal = RequestError.tooManyRequests(retryAfter: seconds)
            return FinderPage.followedAgain(form, texts, .tooMany)
                .response(.tooManyRequests, problem: refusal.problem)
        }
        do {
            let secret = try await operations.sendSafetyRequest(
                ConversationSecret(request.body["key"]) ?? form.key, about: beacon, draft, from: network)
            let path = "\(Self.requests)/\(secret.text)"
            return Response(status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
        } catch DomainError.message {
            return refused(.tooMany, .tooManyRequests)
        }
    }

    /// Counts a valid message by its client's address. Those about a beacon of this registry are counted for each
    /// beacon: somebody at the same address cannot use them up without naming the beacon.
    private func admit(
        _ request: CallRequest<RegistryContext, FormFields>, about beacon: BeaconIdentity?
    ) async throws {
        let (head, context) = (request.http.head, request.context)
        guard let beacon, try await operations.isIssued(beacon) else {
            return try checks.limiter.admit(.followed, head, of: context)
        }
        guard let address = proxies.client(peer: context.peer, headers: head.headerFields) else { return }
        try checks.limiter.admit(.followed, by: "\(address.client.value) \(beacon)")
    }
}

extension Request {
    fileprivate var followedTexts: FollowedWords { FollowedWords(pageLanguage) }
}

extension Example {
    fileprivate static let safetyRequest = SafetyRequest(
        id: id(30), received: noon, beacon: identity, text: "It was in my coat on Monday.", owner: owner.id)
    fileprivate static var closedSafetyRequest: SafetyRequest {
        var closed = safetyRequest
        closed.stopped = evening
        closed.closed = evening
        closed.answer = "We have stopped this beacon."
        return closed
    }
}
