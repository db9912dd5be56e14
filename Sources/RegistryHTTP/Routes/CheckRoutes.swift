import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The check of a bike's number before buying: a page without JavaScript, and a call.
///
/// The number is never in an address, so that it is in no log, no history and no link.
struct CheckRoutes {
    let operations: RegistryOperations
    let limiter: RateLimiter
    let proxies: TrustedProxies

    static let api = "/v1/checks"
    static let form = "/check"
    static let message = "/check/message"

    /// The number of clients whose daily checks an IPv4 /16 or an IPv6 /32 gets, which may be a whole provider: few
    /// enough that nobody tries many numbers from it, and too many for one of its subscribers to use up.
    private static let clientsOfArea = 100

    func addPages(to routes: Routes<RegistryContext>) {
        routes.get(Self.form, showForm)
        routes.post(Self.form, check)
        routes.post(Self.message, write)
        routes.get(Self.message) { _, _ in
            // For somebody who has kept the address of the page after a message.
            Response(status: .seeOther, headers: [.location: Self.form])
        }
    }

    func addCall(to routes: Routes<RegistryContext>) { routes.post(Self.api, answer) }

    @Sendable private func answer(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let draft = try await request.value(NumberCheckDraft.rule(now: operations.clock.now))
        try admit(request, context)
        return try .json(try await operations.check(draft))
    }

    @Sendable private func showForm(_ request: Request, _: RegistryContext) async throws -> Response {
        FinderPage.check(request.checkTexts).response()
    }

    @Sendable private func check(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let (fields, texts) = (try await request.form(), request.checkTexts)
        let number: BikeNumber
        do { number = try BikeNumber(typed: fields["number"]) } catch { return Self.refused(fields, error, texts) }
        try admit(request, context)
        return try await page(for: number, texts).response()
    }

    /// What somebody who has checked a number sees.
    private func page(for number: BikeNumber, _ texts: CheckTexts) async throws -> FinderPage {
        let answer = try await operations.check(NumberCheckDraft(number: number.text))
        if answer.missing { return .missing(number, operations.newConversationSecret(), texts) }
        return answer.similar.map { .perhaps(number, $0, texts) } ?? .notMissing(number, texts)
    }

    /// Writes to the owners. A number that was found before may not be any more.
    @Sendable private func write(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let (fields, texts) = (try await request.form(), request.checkTexts)
        let number: BikeNumber
        do { number = try BikeNumber(typed: fields["number"]) } catch { return Self.refused(fields, error, texts) }
        let key = ConversationSecret(fields["key"]) ?? operations.newConversationSecret()
        do { try admit(request, context) } catch RequestError.tooManyRequests(let seconds) {
            let refusal = RequestError.tooManyRequests(retryAfter: seconds)
            return FinderPage.again(number, key, fields["message"], texts.tooMany(seconds), texts)
                .response(.tooManyRequests, problem: refusal.problem)
        }
        guard let draft = MessageDraft(form: fields["message"]) else {
            guard try await operations.check(NumberCheckDraft(number: number.text)).missing else {
                return try await page(for: number, texts).response()
            }
            return FinderPage.missing(
                number, operations.newConversationSecret(), texts, message: fields["message"], isInvalid: true
            )
            .response(.unprocessableContent)
        }
        let address = proxies.client(peer: context.peer, headers: request.headers)
        do {
            let secrets = try await operations.write(
                draft, aboutNumber: number, key, from: address.map { ($0.subscriber, $0.area) })
            guard let first = secrets.first else { return try await page(for: number, texts).response() }
            return secrets.count == 1 ? FinderRoutes.see(first) : FinderPage.sent(secrets, texts).response(.accepted)
        } catch DomainError.message(let refusal) {
            let hint = request.finderTexts.refusal(refusal, deleted: nil)
            return FinderPage.again(number, key, fields["message"], hint, texts).response(.tooManyRequests)
        }
    }

    private static func refused(_ fields: FormFields, _ flaw: BikeNumber.Flaw, _ texts: CheckTexts) -> Response {
        FinderPage.check(texts, number: String(fields["number"].prefix(64)), flaw: flaw).response(.unprocessableContent)
    }

    /// Counts a check by the client's hour and day, by the day of its wider network, and together with all others.
    private func admit(_ request: Request, _ context: RegistryContext) throws {
        var counts = limiter.counts(.checks, request.head, of: context)
        counts += limiter.counts(.dailyChecks, request.head, of: context)
        if let address = proxies.client(peer: context.peer, headers: request.headers) {
            counts += limiter.counts(.dailyChecks, by: "area \(address.area)", times: Self.clientsOfArea)
        }
        try limiter.admit(counts + limiter.counts(.allChecks, by: "all"))
    }
}

extension Request {
    fileprivate var checkTexts: CheckTexts { CheckTexts(pageLanguage) }
}
