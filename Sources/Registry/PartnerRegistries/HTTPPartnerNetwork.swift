import HTTPClient
import MissingList
public import RegistryAPI
import RegistryClient
public import RegistryRules

/// Calls to other registries over HTTP.
public struct HTTPPartnerNetwork: PartnerNetwork {
    public init() {}

    public func accept(_ offer: PartnerOffer, at url: String) async throws(PartnerFailure) -> PartnerOffer {
        try await HTTPPartnerConnection.failing {
            try await RegistryConnection(url: url, token: nil, http: HTTPConnection()).joinPartner(offer)
        }
    }

    public func connect(
        to url: String, token: String, mostListed: Int
    ) throws(PartnerFailure) -> any PartnerConnection {
        try HTTPPartnerConnection(url: url, token: token, mostListed: mostListed)
    }
}

/// The connections to one partner: one for its list, whose request waits for minutes, one for visits, one for what is
/// read now and then, and one for buyers' checks, which must not wait for it.
struct HTTPPartnerConnection: PartnerConnection {
    private let lists: RegistryConnection
    private let visits: RegistryConnection
    private let readings: RegistryConnection
    private let checks: RegistryConnection
    private let mostListed: Int

    /// A partner that takes longer to answer visits counts as away.
    private static let patience = Duration.seconds(20)

    init(url: String, token: String, mostListed: Int) throws(PartnerFailure) {
        self.mostListed = mostListed
        do {
            lists = try RegistryConnection(
                url: url, token: token,
                http: HTTPConnection(
                    HTTPConfiguration(responseLimit: MissingIdentities.longestEncoding(count: mostListed) + 1024)))
            visits = try RegistryConnection(
                url: url, token: token,
                http: HTTPConnection(HTTPConfiguration(timeout: Self.patience, responseLimit: 1 << 20)))
            readings = try RegistryConnection(
                url: url, token: token,
                http: HTTPConnection(HTTPConfiguration(timeout: Self.patience, responseLimit: 2 << 20)))
            checks = try RegistryConnection(
                url: url, token: token,
                http: HTTPConnection(HTTPConfiguration(timeout: Self.patience, responseLimit: 64 << 10)))
        } catch {
            throw PartnerFailure("\(error)")
        }
    }

    func list(after version: ListVersion?, wait: Duration) async throws(PartnerFailure) -> ListMessage? {
        try await Self.failing {
            switch try await lists.missingList(after: version, wait: wait, path: "/v1/partner/missing") {
            case .unchanged: return nil
            case .changed(let bytes): return try ListMessage(bytes, limit: mostListed)
            }
        }
    }

    func send(_ batch: ForwardedBatch) async throws(PartnerFailure) -> [VisitResult] {
        try await Self.failing { try await visits.forward(batch).results }
    }

    func description() async throws(PartnerFailure) -> RegistryDescription {
        try await Self.failing { try await readings.description() }
    }

    func numbers() async throws(PartnerFailure) -> SharedNumbers {
        try await Self.failing { try await readings.sharedNumbers() }
    }

    func check(_ number: HiddenNumber) async throws(PartnerFailure) -> HiddenNumber {
        try await Self.failing { try await checks.check(number) }
    }

    static func failing<Answer>(_ call: () async throws -> Answer) async throws(PartnerFailure) -> Answer {
        do {
            return try await call()
        } catch {
            throw PartnerFailure("\(error)", retryAfter: (error as? RegistryError)?.retryAfter)
        }
    }
}
