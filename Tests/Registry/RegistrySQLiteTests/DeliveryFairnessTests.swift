import Logging
import OperatingSystem
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Slow receivers and the alerts of other owners", .timeLimit(.minutes(2)))
struct DeliveryFairnessTests {
    @Test("twelve accounts whose servers never respond do not delay the alerts of another owner")
    func silentServers() async throws {
        try await Deliveries.run { scene in
            let victim = try await scene.account(servers: ["https://victim.example"])
            try await scene.deliverWhatWaits()
            try await scene.addSilentAccounts(12)
            try await scene.waitUntilNothingStarts(after: 12)
            let told = scene.attempts(at: "victim")
            try await scene.queue(.reportClosed, for: victim)
            try await scene.waitForAttempts(told + 1, at: "victim")
        }
    }

    @Test("servers that stop responding later do not delay other owners either")
    func silencedServers() async throws {
        try await Deliveries.run { scene in
            let victim = try await scene.account(servers: ["https://victim.example"])
            scene.isSilent.withLock { $0 = false }
            let owners = try await scene.addSilentAccounts(12)
            try await scene.deliverWhatWaits()
            scene.isSilent.withLock { $0 = true }
            let before = scene.attempts(at: "silent")
            for owner in owners {
                for event in Deliveries.events { try await scene.queue(event, for: owner) }
            }
            try await scene.waitUntilNothingStarts(after: before + 12)
            let told = scene.attempts(at: "victim")
            try await scene.queue(.reportClosed, for: victim)
            try await scene.waitForAttempts(told + 1, at: "victim")
        }
    }

    @Test("the first alert of a new channel is tried at once while twelve accounts' servers never respond")
    func newChannel() async throws {
        try await Deliveries.run { scene in
            try await scene.addSilentAccounts(12)
            try await scene.waitUntilNothingStarts(after: 12)
            let victim = try await scene.account(servers: ["https://victim.example"])
            try await scene.queue(.reportClosed, for: victim)
            try await scene.waitForAttempts(1, at: "victim")
        }
    }
}

/// A registry that delivers to servers; those named "silent" never respond.
private final class Deliveries: Sendable {
    static let events: [OwnerNotice.Event] = [
        .tokenCreated, .tokenRevoked, .recoveryUsed, .recoveryReplaced, .ownerChanged, .bikeChanged, .beaconChanged,
    ]

    let store: SQLiteRegistryStore
    let signal = WakeUp()
    let isSilent = Mutex(true)
    private let clock = HandClock()
    private let counter = Mutex<UInt64>(0)
    private let tried = Mutex<[String]>([])
    /// What the receivers have been asked for.
    private let asked = Tally()
    private let hung = Mutex<[CheckedContinuation<Void, Never>]>([])
    private let hasEnded = Mutex(false)
    /// How often the dispatcher has started what it could, and then waited.
    private let rounds = Tally()

    private init(store: SQLiteRegistryStore) { self.store = store }

    static func run(_ test: (Deliveries) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let scene = Deliveries(store: try SQLiteRegistryStore(newAt: folder.file("registry.sqlite")))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let dispatcher = AlertDispatcher(
            store: scene.store, notifiers: [Receivers(scene: scene)], signal: scene.signal,
            clock: scene.clock.wallClock, entropy: .seeded(1),
            sleep: { _ in
                scene.rounds.add()
                try await Task.sleep(for: .seconds(3600))
            }, logger: logger
        )
        let group = ServiceGroup(configuration: .init(services: [dispatcher], logger: logger))
        async let ended: Void = group.run()
        let result: Result<Void, any Error>
        do { result = .success(try await test(scene)) } catch { result = .failure(error) }
        scene.release()
        await group.triggerGracefulShutdown()
        try await ended
        try result.get()
    }

    func account(servers: [String]) async throws -> OwnerID {
        let number = counter.withLock { count in
            count += 1
            return count
        }
        let owner = OwnerID(high: 1, low: number)
        try await store.addOwner(Owner(id: owner, created: clock.now), token: SecretDigest(of: "\(number)"))
        for (index, server) in servers.enumerated() {
            let channel = Channel(
                id: ChannelID(high: number, low: UInt64(index)), kind: .webhook,
                address: "\(server)/\(number)/\(index)",
                created: clock.now, verified: clock.now
            )
            _ = try await store.addChannel(
                channel, ChannelSettings(), secret: SigningSecret(bytes: Array(0..<32)), of: owner, once: nil,
                verification: nil
            )
        }
        try await queue(.tokenCreated, for: owner)
        return owner
    }

    /// Adds accounts of ten channels each, with alerts for all of them.
    @discardableResult
    func addSilentAccounts(_ count: Int) async throws -> [OwnerID] {
        var owners: [OwnerID] = []
        for number in 0..<count {
            let owner = try await account(servers: (0..<10).map { "https://silent-\(number)-\($0).example" })
            for event in Self.events { try await queue(event, for: owner) }
            owners.append(owner)
        }
        return owners
    }

    func queue(_ event: OwnerNotice.Event, for owner: OwnerID) async throws {
        try await store.write { [clock] db in
            _ = try Notices(db).queue(
                OwnerNotice(event), toOwner: try Owners(db).key(of: owner), at: clock.now, using: .system)
        }
        clock.advance(by: .milliseconds(1))
        signal.wake()
    }

    func deliverWhatWaits() async throws {
        while try await store.nextAlertDue() != nil { try await waitForRound() }
    }

    func attempts(at name: String) -> Int { tried.withLock { $0.count { $0.contains(name) } } }

    /// Waits for attempts at a server. A receiver that never responds blocks until the suite's time limit ends the test.
    func waitForAttempts(_ count: Int, at name: String) async throws {
        try await asked.wait { attempts(at: name) >= count }
    }

    /// Waits until this many deliveries to silent servers have begun, and no more begin.
    func waitUntilNothingStarts(after count: Int) async throws {
        try await waitForAttempts(count, at: "silent")
        var before = -1
        while try await before != claimed() {
            before = try await claimed()
            // The first round may have begun before.
            for _ in 0..<2 { try await waitForRound() }
        }
        try await waitForAttempts(before, at: "silent")
    }

    private func waitForRound() async throws {
        let count = rounds.count
        signal.wake()
        try await rounds.reach(count + 1)
    }

    /// The number of alerts for silent servers that the dispatcher has claimed and not settled.
    private func claimed() async throws -> Int {
        let sql = """
            SELECT count(*) FROM alert JOIN channel ON channel.key = alert.channel
            WHERE alert.claimed IS NOT NULL AND channel.url LIKE '%silent%'
            """
        return Int(try await store.read { try $0.integer(sql, []) } ?? 0)
    }

    private func release() {
        hasEnded.withLock { $0 = true }
        for continuation in hung.withLock({ $0 }) { continuation.resume() }
        hung.withLock { $0 = [] }
    }

    private struct Receivers: Notifier {
        let scene: Deliveries
        var kind: ChannelKind { .webhook }
        var longestDelivery: Duration { .seconds(30) }

        func refusals(of draft: ChannelDraft) -> [FieldError] { [] }

        func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
            scene.tried.withLock { $0.append(alert.channel.address) }
            scene.asked.add()
            guard alert.channel.address.contains("silent"), scene.isSilent.withLock({ $0 }) else { return .delivered }
            await withCheckedContinuation { continuation in
                let isOver = scene.hasEnded.withLock { hasEnded in
                    if !hasEnded { scene.hung.withLock { $0.append(continuation) } }
                    return hasEnded
                }
                if isOver { continuation.resume() }
            }
            return .retry(after: nil, reason: "no answer")
        }
    }
}
