import HTTPTypes
import Hummingbird
import Languages
import Operations
import RegistryAPI
import RegistryRules

/// The check of a bike's number before buying: a page without JavaScript, and a call.
///
/// The number is never in an address, so that it is in no log, no history and no link.
struct CheckCalls {
    let operations: RegistryOperations
    let limiter: RateLimiter
    let proxies: TrustedProxies

    private static let api = "/v1/checks"
    /// The page with the form, to which it posts, too.
    static let form = "/check"
    /// Where the form for a message posts.
    static let message = "/check/message"

    /// An IPv4 /16 or an IPv6 /32, which may be a whole provider, gets the daily checks of this many clients: so few
    /// that many numbers cannot be tried from it, and too many for one of its subscribers to use up.
    private static let clientsOfArea = 100

    func addCall(to calls: Calls<RegistryContext>) {
        calls.post(
            Self.api, "Check a bike’s number before buying it",
            """
            `missing` is true if stations search for a bike with exactly this serial number or VIN, and its owner \
            allows the check. Case, spaces, dots, hyphens and slashes make no difference. `similar` has the numbers \
            of such bikes that differ only in characters that are easily misread: O and 0, I, L and 1; in a number of \
            17 characters, as a VIN has, also Q and 0. Read the number on the bike again, and check the right one. \
            `elsewhere` names the partner registries where such a bike is missing, without telling them the number. \
            Neither answer proves anything: most bikes are in no register, and two bikes can have the same number. A \
            message to the owner can be left on the page `\(Self.form)`.
            """
        )
        .limited(.checks).refusing(request: .crossSite)
        .taking(NumberCheckDraft(number: "WTU 123 CO456 K"))
        .answering(Example.numberCheck, "The answer, which proves nothing.") { request in
            try admit(request)
            return try await operations.check(request.body)
        }
    }

    func addPages(to calls: Calls<RegistryContext>) {
        calls.get(Self.form, "Show the form for a bike’s number")
            .givingPage(.ok, "A form for people.").asPage
            .responding { FinderPage.check($0.http.checkTexts).response() }

        calls.post(Self.form, "Check a bike’s number on a page", "As `POST \(Self.api)`, for people.")
            .limited(.checks)
            .takingForm("CheckedNumber", ["number"], required: ["number"])
            .givingPage(
                .ok,
                "A page with the answer; if the bike is missing, with a form for a message to its owner, and if only a bike with a similar number is, with what differs."
            )
            .givingPage(.unprocessableContent, "The form, with what is wrong.").asPage
            .responding { try await checkNumber($0) }

        calls.post(
            Self.message, "Write to the owner of a missing bike whose number was checked",
            """
            It begins a conversation as `POST \(FinderCalls.form)` does. If several missing bikes have the number, \
            at most \(NumberCheckRules.mostBikes) owners get the message, in separate conversations.
            """
        )
        .limited(.checks)
        .takingForm("BuyerMessage", ["number", "message", "key"], required: ["number", "message"])
        .givingPage(.ok, "No missing bike has this number any longer: nothing was written.")
        .giving(.seeOther, "It is sent; the conversation’s page follows.", headers: [.location])
        .givingPage(.accepted, "It is sent to several owners: a page with the addresses of the conversations.")
        .givingPage(.unprocessableContent, "The form, with what is wrong.").asPage
        .responding { try await writeToOwners($0) }

        // For people who have kept the address of the page after a message.
        calls.get(Self.message, "Go on to the form for a bike’s number")
            .giving(.seeOther, "The form follows.", headers: [.location])
            .responding { _ in Response(status: .seeOther, headers: [.location: Self.form]) }
    }

    /// Answers the form with a number.
    private func checkNumber(_ request: CallRequest<RegistryContext, FormFields>) async throws -> Response {
        let (fields, texts) = (request.body, request.http.checkTexts)
        let number: BikeNumber
        do {
            number = try BikeNumber(typed: fields["number"])
        } catch {
            return Self.refusedNumber(fields, error, texts)
        }
        try admit(request)
        return try await page(for: number, texts).response()
    }

    /// The page after a check of a number.
    private func page(for number: BikeNumber, _ texts: CheckWords) async throws -> FinderPage {
        let answer = try await operations.check(NumberCheckDraft(number: number.text))
        if answer.missing { return .missing(number, operations.newConversationSecret(), texts) }
        let isElsewhere = answer.elsewhere?.contains { $0.similar != true } ?? false
        if isElsewhere { return .elsewhere(number, answer, texts) }
        if let similar = answer.similar { return .perhaps(number, similar, answer, texts) }
        return .notMissing(number, answer, texts)
    }

    /// Writes to the owners. A number that was found before may no longer be found.
    private func writeToOwners(_ request: CallRequest<RegistryContext, FormFields>) async throws -> Response {
        let (fields, texts) = (request.body, request.http.checkTexts)
        let number: BikeNumber
        do {
            number = try BikeNumber(typed: fields["number"])
        } catch {
            return Self.refusedNumber(fields, error, texts)
        }
        let key = ConversationSecret(fields["key"]) ?? operations.newConversationSecret()
        do {
            try admit(request)
        } catch RequestError.tooManyRequests(let seconds) {
            let refusal = RequestError.tooManyRequests(retryAfter: seconds)
            let wait = texts.tooMany(request.http.finderTexts.wait(seconds))
            return FinderPage.again(number, key, fields["message"], wait, texts)
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
        let network = proxies.network(peer: request.context.peer, headers: request.http.headers)
        do {
            let secrets = try await operations.write(draft, aboutNumber: number, key, from: network)
            guard let first = secrets.first else { return try await page(for: number, texts).response() }
            return secrets.count == 1 ? FinderCalls.see(first) : FinderPage.sent(secrets, texts).response(.accepted)
        } catch DomainError.message(let refusal) {
            let hint = request.http.finderTexts.refusal(refusal, deleted: nil)
            return FinderPage.again(number, key, fields["message"], hint, texts).response(.tooManyRequests)
        }
    }

    /// The form again, with what is wrong with the number.
    private static func refusedNumber(_ fields: FormFields, _ flaw: BikeNumber.Flaw, _ texts: CheckWords) -> Response {
        FinderPage.check(texts, number: String(fields["number"].prefix(64)), flaw: flaw).response(.unprocessableContent)
    }

    /// Counts a check, or a look-up of a beacon, by the client's hour and day, by the day of its wider network, and
    /// together with all others.
    ///
    /// - Throws: `tooManyRequests`; then nothing is counted.
    func admit(_ request: CallRequest<RegistryContext, some Sendable>) throws {
        let (head, context) = (request.http.head, request.context)
        var counts = limiter.counts(.checks, head, of: context)
        counts += limiter.counts(.dailyChecks, head, of: context)
        if let address = proxies.client(peer: context.peer, headers: request.http.headers) {
            counts += limiter.counts(.dailyChecks, by: "area \(address.area)", times: Self.clientsOfArea)
        }
        try limiter.admit(counts + limiter.counts(.allChecks, by: "all"))
    }
}

extension Request {
    fileprivate var checkTexts: CheckWords { CheckWords(pageLanguage) }
}

extension Example {
    fileprivate static let numberCheck = NumberCheck(
        missing: false,
        similar: [
            SimilarNumber(number: "WTU123C0456K", differences: [.init(position: 8, checked: "O", reported: "0")])
        ], elsewhere: [NumberElsewhere(registry: partner.name, url: "https://registry.example.net")])
}
