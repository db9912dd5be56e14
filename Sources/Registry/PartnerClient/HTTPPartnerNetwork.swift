public import HTTPClient
import MissingList
public import RegistryAPI
import RegistryClient
public import RegistryRules

/// Calls to other registries over HTTP.
///
/// One thread sends the requests to all partners: with a thread for each request, partners that do not answer would
/// take all threads that Dispatch has (255), also those of the database.
public struct HTTPPartnerNetwork: PartnerNetwork {
    /// For everything except buyers' checks.
    private let exchange: HTTPMultiplexer
    /// For buyers' checks, because there may be many of them.
    private let checks: HTTPMultiplexer

    /// More requests at a time than those about lists, visits, numbers and counts to all partners.
    private static let concurrency = 5 * PartnerRules.mostPartners

    // The longest responses in bytes that are read, far above what a registry sends.
    private static let longestOffer = 64 << 10
    private static let longestAnswer = 2 << 20
    private static let longestCheck = 4 << 10
    /// Room for what surrounds a list.
    private static let listOverhead = 1024

    /// - Parameters:
    ///   - allowPrivateAddresses: whether to connect to private, loopback and link-local addresses, too. A partner says
    ///     itself where it is called, so it could otherwise make this registry call other machines in its network.
    ///   - patience: a partner that takes longer to answer counts as away; its list has more time.
    public init(allowPrivateAddresses: Bool, patience: Duration = .seconds(20)) throws(HTTPError) {
        let configuration = HTTPConfiguration(
            timeout: patience, addresses: allowPrivateAddresses ? .any : .publicOnly)
        exchange = try HTTPMultiplexer(configuration, concurrency: Self.concurrency)
        checks = try HTTPMultiplexer(configuration, concurrency: Self.concurrency)
    }

    public func accept(_ offer: PartnerOffer, at url: String) async throws(PartnerFailure) -> PartnerOffer {
        try await HTTPPartnerConnection.describingErrors {
            try await RegistryConnection(url: url, token: nil, through: exchange, responseLimit: Self.longestOffer)
                .joinPartner(offer)
        }
    }

    public func connect(
        to url: String, token: String, mostListed: Int
    ) throws(PartnerFailure) -> any PartnerConnection {
        do {
            func connection(_ multiplexer: HTTPMultiplexer, _ limit: Int) throws(RegistryError) -> RegistryConnection {
                try RegistryConnection(url: url, token: token, through: multiplexer, responseLimit: limit)
            }
            let longestList = MissingIdentities.longestEncoding(count: mostListed) + Self.listOverhead
            return HTTPPartnerConnection(
                lists: try connection(exchange, longestList), others: try connection(exchange, Self.longestAnswer),
                checks: try connection(checks, Self.longestCheck), mostListed: mostListed)
        } catch {
            throw PartnerFailure("\(error)")
        }
    }
}

/// The connections to one partner: for its list, for visits and what else is read, and for buyers' checks.
struct HTTPPartnerConnection: PartnerConnection {
    let lists: RegistryConnection
    let others: RegistryConnection
    let checks: RegistryConnection
    /// The most entries of the partner's list.
    let mostListed: Int

    func list(after version: ListVersion?, wait: Duration) async throws(PartnerFailure) -> ListMessage? {
        try await Self.describingErrors {
            switch try await lists.missingList(after: version, wait: wait, path: "/v1/partner/missing") {
            case .unchanged: return nil
            case .changed(let bytes): return try ListMessage(bytes, limit: mostListed)
            }
        }
    }

    func send(_ batch: ForwardedBatch) async throws(PartnerFailure) -> [VisitResult] {
        try await Self.describingErrors { try await others.forward(batch).results }
    }

    func description() async throws(PartnerFailure) -> RegistryDescription {
        try await Self.describingErrors { try await others.description() }
    }

    func numbers() async throws(PartnerFailure) -> SharedNumbers {
        try await Self.describingErrors { try await others.sharedNumbers() }
    }

    func check(_ number: HiddenNumber) async throws(PartnerFailure) -> HiddenNumber {
        try await Self.describingErrors { try await checks.check(number) }
    }

    /// Makes a call, and turns its error into what the operator reads about the partner.
    static func describingErrors<Answer>(
        _ call: () async throws -> Answer
    ) async throws(PartnerFailure) -> Answer {
        do {
            return try await call()
        } catch RegistryError.unreachable(.addressRefused(let address)) {
            throw PartnerFailure(
                "its address leads to \(address), which is not public: see the setting partners.allowPrivateAddresses")
        } catch RegistryError.unreachable(let error) where !error.isCertificateProblem {
            throw PartnerFailure("it cannot be reached: \(error.plainWords)")
        } catch RegistryError.refused(let problem, let delay) {
            throw PartnerFailure(reason(of: problem), retryAfter: delay)
        } catch ListCodingError.tooManyEntries(let count, let limit) {
            throw PartnerFailure("its list has \(count) entries, more than its limit of \(limit)")
        } catch {
            throw PartnerFailure("\(error)", retryAfter: (error as? RegistryError)?.retryAfter)
        }
    }

    /// Why a partner has refused a request, in words for this registry's operator: the partner's own are for programs.
    private static func reason(of problem: ProblemDetails) -> String {
        if problem.errors?.contains(where: { $0.pointer == "/publicKey" }) == true {
            return "its address leads to this registry, or it already has a partner with this registry’s signing key: "
                + "then ask its operator to give that partner new tokens, or to remove that partner first"
        }
        // All visits of a batch are signed with the same key, for the same key.
        if problem.errors?.contains(where: { $0.pointer == "/visits/0/signature" }) == true {
            return "it has not accepted this registry’s signing key: give its operator the fingerprint of this key, "
                + "for ‘findmybike partner change … --key’"
        }
        if problem.errors?.contains(where: { $0.pointer == "/visits/0/statement" }) == true {
            return "it does not use the signing key that you accepted last, or cannot read this registry’s visits: ask "
                + "its operator for the fingerprint, and accept the key with ‘findmybike partner change … --key’"
        }
        return switch problem.name {
        case "code-unusable":
            "the code is mistyped, used or expired. Type it again, or ask its operator for another one. If you have used it "
                + "yourself, the list of partners shows the other registry"
        case "unauthenticated":
            "it does not accept this registry’s token: its operator has suspended or removed the partnership, or is "
                + "renewing the tokens, or one of the two registries was restored from a backup. Ask its operator"
        default: "\(RegistryError.refused(problem, retryAfter: nil))"
        }
    }
}
