import Beacons
import Evidence
import FoundationEssentials
import HTTPTypes
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistryTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Operations
@testable import RegistryHTTP

/// Two registries that are partners: the guest has accepted the home registry's invitation.
struct Pair {
    let network = JoinedNetwork()
    let homeKeyring: Keyring
    let guestKeyring: Keyring
    let home: Harness
    let guest: Harness

    static let anOperator = Principal.operator(OperatorID(high: 9, low: 9))

    /// - Parameter options: those of the home registry.
    init(options: ServerOptions = ServerOptions()) async throws {
        let time = HandClock().now
        (homeKeyring, guestKeyring) = (Keyring(at: time), Keyring(at: time))
        home = try Harness(
            keyring: homeKeyring, publicURL: "https://home.example", network: network, options: options)
        guest = try Harness(keyring: guestKeyring, publicURL: "https://guest.example", network: network)
        network.join(["https://home.example": home, "https://guest.example": guest])
        let invitation = try await home.operations.invitePartner(
            PartnerInvitationDraft(name: "Guest"), by: Self.anOperator)
        let partner = try await guest.operations.acceptPartner(
            PartnerAcceptance(url: "https://home.example/", code: invitation.code, name: "Home"), by: Self.anOperator)
        #expect(partner.state == .active && partner.url == "https://home.example")
    }

    var guestExchange: PartnerExchange {
        get throws { try #require(guest.operations.partners) }
    }

    func missingBike() async throws -> (owner: String, report: MissingReport) {
        let owner = try await home.newOwner()
        let bike = try await home.newBike(of: owner)
        return (owner, try await home.newReport(on: bike.id, of: owner))
    }

    /// The home registry as the guest calls it.
    func homeAsPartner() async throws -> (partner: ActivePartner, connection: any PartnerConnection) {
        let partner = try #require(try await guest.store.activePartners().first)
        return (
            partner, try network.connect(to: partner.url, token: partner.secret, mostListed: partner.limits.listed)
        )
    }

    /// Lets the guest read the home registry's list once.
    func readList() async throws {
        let exchange = try guestExchange
        await exchange.refresh()
        let (partner, connection) = try await homeAsPartner()
        var needsAll = false
        _ = try await PartnerListReading(exchange: exchange, partner: partner, connection: connection).ask(
            wait: .zero, needsAll: &needsAll)
    }

    /// Lets the guest send once.
    func send(after failures: Int = 0) async throws -> PartnerSending.Outcome {
        let (partner, connection) = try await homeAsPartner()
        var backoff = PartnerBackoff()
        for _ in 0..<failures { _ = backoff.failed() }
        return try await PartnerSending(exchange: try guestExchange, partner: partner, connection: connection).sendDue(
            &backoff)
    }

    /// Lets the guest read the home registry's hidden numbers once.
    func readNumbers() async throws {
        let exchange = try guestExchange
        await exchange.refresh()
        let (partner, connection) = try await homeAsPartner()
        try await PartnerNumberReading(exchange: exchange, partner: partner, connection: connection).read()
    }

    /// Lets the guest read once how many stations the home registry has.
    func readCounts() async throws {
        let exchange = try guestExchange
        await exchange.refresh()
        let (partner, connection) = try await homeAsPartner()
        try await PartnerCountReading(exchange: exchange, partner: partner, connection: connection).read()
    }

    /// The home registry as the guest's operator sees it.
    func homeAtGuest() async throws -> Partner {
        try #require(try await guest.store.partners(PageRequest(limit: 1), at: guest.clock.now).items.first)
    }

    /// The token with which the guest calls the home registry.
    func tokenOfGuest() async throws -> String {
        try #require(try await guest.store.activePartners().first).secret
    }

    /// The token with which the home registry calls the guest.
    func tokenOfHome() async throws -> String { try #require(try await home.store.activePartners().first).secret }

    func batch(
        _ visits: [Visit], to fingerprint: String, by keyring: Keyring,
        of pseudonym: StationID = StationID(high: 7, low: 7)
    ) throws -> ForwardedBatch {
        ForwardedBatch(
            visits: try visits.map { visit in
                let station = ForwardingStation(
                    id: pseudonym, name: "Bistro", mobile: false, place: Samples.place)
                let forwarded = ForwardedVisit(
                    to: fingerprint, received: visit.lastSeen, station: station, visit: visit)
                let text =
                    SignedVisit.title + "\n" + String(decoding: try JSONEncoder().encode(forwarded), as: UTF8.self)
                return SignedVisit(statement: text, signature: Hexadecimal.text(try keyring.sign(Array(text.utf8))))
            })
    }
}

/// Registries that call each other without connections.
final class JoinedNetwork: PartnerNetwork, Sendable {
    private let registries = Mutex<[String: Harness]>([:])
    let isDown = Mutex(false)
    /// Whether requests arrive, but no answers do.
    let losesAnswers = Mutex(false)
    /// Changes the answers about visits.
    let falsify = Mutex<(@Sendable ([VisitResult]) -> [VisitResult])?>(nil)
    /// How long each request for a list may wait.
    let waits = Mutex<[Duration]>([])
    /// What is answered in place of a list.
    let list = Mutex<ListMessage?>(nil)
    /// What a registry says of itself in place of the truth.
    let description = Mutex<RegistryDescription?>(nil)
    /// What was asked about numbers.
    let hidden = Mutex<[HiddenNumber]>([])
    /// What was answered to offers.
    let answers = Mutex<[PartnerOffer]>([])
    /// What is answered to an offer in place of the truth.
    let answer = Mutex<PartnerOffer?>(nil)

    func join(_ registries: [String: Harness]) { self.registries.withLock { $0 = registries } }

    fileprivate func registry(at url: String) throws(PartnerFailure) -> Harness {
        guard let registry = registries.withLock({ $0[url] }), !isDown.withLock(\.self) else {
            throw PartnerFailure("away")
        }
        return registry
    }

    func accept(_ offer: PartnerOffer, at url: String) async throws(PartnerFailure) -> PartnerOffer {
        let registry = try registry(at: url)
        let told: PartnerOffer = try await Self.failing {
            try await registry.post("/v1/partner/acceptance", offer).value()
        }
        answers.withLock { $0.append(told) }
        return answer.withLock(\.self) ?? told
    }

    func connect(to url: String, token: String, mostListed: Int) throws(PartnerFailure) -> any PartnerConnection {
        Connection(network: self, url: url, token: token, mostListed: mostListed)
    }

    static func failing<Value>(_ call: () async throws -> Value) async throws(PartnerFailure) -> Value {
        do { return try await call() } catch { throw PartnerFailure("\(error)") }
    }

    private struct Connection: PartnerConnection {
        let network: JoinedNetwork
        let url: String
        let token: String
        let mostListed: Int

        func list(after version: ListVersion?, wait: Duration) async throws(PartnerFailure) -> ListMessage? {
            network.waits.withLock { $0.append(wait) }
            let registry = try network.registry(at: url)
            if let message = network.list.withLock(\.self) { return message }
            return try await JoinedNetwork.failing {
                var headers: HTTPFields = [.accept: MediaType.missingList, .aIM: "findmybike"]
                if let version { headers[.ifNoneMatch] = "\"\(version)\"" }
                let answer = try await registry.call(.get, "/v1/partner/missing", token: token, headers: headers)
                return answer.status == 304 ? nil : try ListMessage([UInt8](answer.body), limit: mostListed)
            }
        }

        func send(_ batch: ForwardedBatch) async throws(PartnerFailure) -> [VisitResult] {
            let registry = try network.registry(at: url)
            let results: [VisitResult] = try await JoinedNetwork.failing {
                try await registry.post("/v1/partner/visits", token: token, batch).value(VisitBatchResult.self).results
            }
            if network.losesAnswers.withLock(\.self) { throw PartnerFailure("no answer arrived") }
            if let falsify = network.falsify.withLock({ $0 }) { return falsify(results) }
            return results
        }

        func description() async throws(PartnerFailure) -> RegistryDescription {
            let registry = try network.registry(at: url)
            if let description = network.description.withLock(\.self) { return description }
            return try await JoinedNetwork.failing { try await registry.call(.get, "/v1/about").value() }
        }

        func numbers() async throws(PartnerFailure) -> SharedNumbers {
            let registry = try network.registry(at: url)
            return try await JoinedNetwork.failing {
                try await registry.call(.get, "/v1/partner/numbers", token: token).value()
            }
        }

        func check(_ number: HiddenNumber) async throws(PartnerFailure) -> HiddenNumber {
            let registry = try network.registry(at: url)
            network.hidden.withLock { $0.append(number) }
            return try await JoinedNetwork.failing {
                try await registry.post("/v1/partner/checks", token: token, number).value()
            }
        }
    }
}
