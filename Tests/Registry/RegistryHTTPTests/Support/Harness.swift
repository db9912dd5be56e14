import Beacons
import Evidence
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import OperatingSystem
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistrySQLiteTestSupport
import RegistryTestSupport
import Synchronization
import TestSupport

@testable import RegistryHTTP

/// A registry with its own database, called without a connection. Its operator allows given identities and private
/// webhooks.
struct Harness: Sendable {
    let store: SQLiteRegistryStore
    let operations: RegistryOperations
    let clock = HandClock()
    private let folder: TemporaryFolder
    private let responder: RegistryResponder
    private let logger: Logger

    /// Every call of the registry.
    ///
    /// - Parameter appKey: adds those for the original app.
    func calls(appKey: String? = nil) -> [Call] {
        RegistryHTTPServer.build(operations: operations, appKey: appKey).table.all
    }

    init(
        policy: GivenIdentityPolicy = .open, registration: OwnerRegistration = .open, keyring: Keyring? = nil,
        appKey: String? = nil, webPushKey: String? = nil, photos: PhotoLibrary? = nil,
        publicURL: String = "https://registry.example", vault: BeaconVault? = nil, allowsOwnDisplays: Bool = false,
        network: (any PartnerNetwork)? = nil, options: ServerOptions = ServerOptions(), logger: Logger = .silent
    ) throws {
        folder = try TemporaryFolder()
        store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
        var operations = RegistryOperations(store: store, logger: logger)
        operations.notifiers = [.webhook, .email, .ntfy].map(AcceptingNotifier.init)
        operations.givenIdentities = policy
        operations.ownerRegistration = registration
        operations.publicURL = publicURL
        operations.webPushKey = webPushKey
        operations.keyring = keyring
        operations.photos = photos
        operations.vault = vault
        operations.displayContact = "the police on 101"
        operations.allowsOwnDisplays = allowsOwnDisplays
        operations.version = ProgramVersion("1.0.0")
        operations.clock = clock.wallClock
        operations.entropy = .seeded(1)
        if let network, let keyring {
            operations.partners = PartnerExchange(
                store: store, network: network, keyring: keyring, clock: clock.wallClock,
                // On a busy machine, partners need longer than a station waits for them.
                sleep: { try await Task.sleep(for: $0 == PartnerRules.answerWait ? $0 * 10 : $0) }, logger: logger)
        }
        self.operations = operations
        responder = RegistryHTTPServer.buildResponder(operations: operations, appKey: appKey, options: options)
        self.logger = logger
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, body: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if body != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await call(method, path, token: token, bytes: body.map { Array($0.utf8) }, headers: headers)
    }

    /// Calls with a body that is not text.
    func call(
        _ method: HTTPRequest.Method, _ path: String, token: String?, bytes: [UInt8]?, headers: HTTPFields
    ) async throws -> Answer {
        var headers = headers
        if let bytes { headers[.contentLength] = "\(bytes.count)" }
        return try await read(
            try await respond(
                method, path, token: token, headers: headers,
                body: RequestBody(asyncSequence: Self.pieces(bytes ?? []))))
    }

    /// The response to a call, whose body is not read yet.
    func respond(
        _ method: HTTPRequest.Method, _ path: String, token: String?, headers: HTTPFields = [:],
        body: RequestBody = RequestBody(buffer: ByteBuffer())
    ) async throws -> Response {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: path, headerFields: headers)
        var logger = logger
        logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
        return try await responder.respond(
            to: Request(head: head, body: body),
            context: RegistryContext(source: .init(channel: NIOAsyncTestingChannel(), logger: logger)))
    }

    func read(_ response: Response) async throws -> Answer {
        let body = CollectedBody()
        try await response.body.write(body)
        return Answer(status: response.status.code, headers: response.headers, body: body.data)
    }

    /// A body in pieces, as a connection delivers it.
    private static func pieces(_ body: [UInt8]) -> AsyncStream<ByteBuffer> {
        AsyncStream { continuation in
            for start in stride(from: 0, to: body.count, by: 32_768) {
                continuation.yield(ByteBuffer(bytes: body[start...].prefix(32_768)))
            }
            continuation.finish()
        }
    }

    func post(
        _ path: String, token: String? = nil, _ body: some Encodable, key: String? = nil
    ) async throws -> Answer {
        let text = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
        var headers = HTTPFields()
        if let key, let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        return try await call(.post, path, token: token, body: text, headers: headers)
    }

    /// Adds a picture, as the API's clients do.
    func addPhoto(
        _ file: [UInt8], to path: String, token: String, key: String? = nil, as mediaType: String = "image/jpeg"
    ) async throws -> Answer {
        var headers: HTTPFields = [.contentType: mediaType]
        if let key, let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        return try await call(.post, path, token: token, bytes: file, headers: headers)
    }
}

/// The body of a response, as far as it was written.
final class CollectedBody: ResponseBodyWriter, Sendable {
    private let bytes = Mutex(Data())
    private let written: @Sendable () async throws -> Void

    /// - Parameter written: called after each part.
    init(_ written: @escaping @Sendable () async throws -> Void = {}) { self.written = written }

    var data: Data { bytes.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        bytes.withLock { $0 += buffer.readableBytesView }
        try await written()
    }

    func finish(_: HTTPFields?) {}
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// The response to a call.
struct Answer {
    let status: Int
    let headers: HTTPFields
    let body: Data

    func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }

    /// The problem's kind; nil if the response is not a problem.
    var problem: String? {
        guard headers[.contentType] == "application/problem+json", let problem = try? value(ProblemDetails.self),
            problem.status == status, !problem.detail.isEmpty, !problem.title.isEmpty
        else { return nil }
        return problem.type.split(separator: ":").last.map(String.init)
    }

    var pointers: [String] { (try? value(ProblemDetails.self))?.errors?.map(\.pointer) ?? [] }
}

extension Harness {
    /// An act of an owner at this time.
    func act(of owner: OwnerID) -> OwnerAct { OwnerAct(owner: owner, time: clock.now, entropy: .seeded(1)) }

    func newOwner() async throws -> String {
        try await call(.post, "/v1/owners").value(OwnerCreated.self).token
    }

    /// The `If-Match` field for the current state of a resource.
    func tag(_ path: String, token: String) async throws -> HTTPFields {
        let tag = try await call(.get, path, token: token).headers[.eTag]
        return tag.map { [.ifMatch: $0] } ?? [:]
    }

    /// Adds a token for an owner.
    func newToken(of owner: String, scope: TokenScope) async throws -> String {
        try await post("/v1/owner/tokens", token: owner, TokenDraft(name: "test", scope: scope))
            .value(OwnerTokenCreated.self).token
    }

    /// Runs the maintenance that is due at the current time.
    func runMaintenance() async {
        let maintenance = Maintenance(
            store: store, signal: WakeUp(), clock: clock.wallClock, entropy: .seeded(2), logger: .silent)
        await maintenance.tellFinds()
        await maintenance.round()
    }

    /// The notices queued for channels. Each is returned once.
    func notices() async throws -> [OwnerNotice] {
        let lease = clock.now.advanced(by: .seconds(1))
        let alerts = try await store.claimAlerts(at: clock.now, leaseUntil: lease, limit: 100)
        for alert in alerts {
            try await store.settle(alert.id, attempt: alert.attempt, as: .delivered, at: clock.now)
        }
        return alerts.compactMap(\.content.notice)
    }

    func newOperator() async throws -> String {
        try await operations.createOperator(OperatorDraft(name: "test"), by: nil).token
    }

    func newStation(
        venue: String? = nil, mobile: Bool = false, at place: Place = Samples.place
    ) async throws -> StationEnrolled {
        let draft = InvitationDraft(name: "Café", venue: venue, mobile: mobile, place: place)
        let invitation: Invitation = try await post("/v1/invitations", token: try await newOperator(), draft).value()
        return try await post("/v1/station/enrolment", EnrolmentRequest(code: invitation.code)).value()
    }

    /// A bike with this identity and no pending claim.
    func newBike(of owner: String, _ identity: BeaconIdentity = Samples.identity(1)) async throws -> Bike {
        guard let id = try await operations.credential(token: owner)?.principal.owner else {
            throw DomainError.unauthenticated
        }
        var generator = SystemRandomNumberGenerator()
        let bike = NewBike(
            id: BikeID(at: clock.now, using: &generator), owner: id, details: Samples.bike, identity: .given(identity),
            created: clock.now)
        return try await store.registerBike(bike, once: nil)
    }

    /// A bike with a pending claim to this identity.
    func newPendingBike(of owner: String, _ identity: BeaconIdentity = Samples.identity(1)) async throws -> Bike {
        var draft = Samples.bike
        draft.identity = identity
        return try await post("/v1/bikes", token: owner, draft).value()
    }

    func newReport(on bike: BikeID, of owner: String) async throws -> MissingReport {
        try await post("/v1/bikes/\(bike)/reports", token: owner, MissingReportDraft(policeReference: "CRIME-7"))
            .value()
    }

    func report(_ visits: [Visit], as station: String) async throws -> [VisitResult] {
        try await post("/v1/sightings", token: station, VisitBatch(visits: visits)).value(VisitBatchResult.self).results
    }

    func sightings(of report: MissingReport, by owner: String) async throws -> [Sighting] {
        try await call(.get, "/v1/bikes/\(report.bike)/reports/\(report.id)/sightings", token: owner)
            .value(Page<Sighting>.self).items
    }
}

/// Accepts every channel whose URL is not `https://refused`.
private struct AcceptingNotifier: Notifier {
    let kind: ChannelKind
    let longestDelivery = Duration.seconds(1)

    func refusals(of draft: ChannelDraft) -> [FieldError] {
        draft.address == "https://refused" ? [FieldError(pointer: "/url", detail: "refused")] : []
    }

    func deliver(_ alert: ClaimedAlert) async -> DeliveryResult { .delivered }
}

extension RegistryOperations {
    /// Accepts a beacon with the identity that its owner gave.
    func accept(_ bike: Bike) async throws {
        let identity = bike.pending?.claimed ?? bike.identity
        _ = try await acceptClaim(ClaimAcceptance(identity: identity), of: bike.id, by: OperatorID(high: 9, low: 9))
    }
}
