package import Evidence
package import Logging
import MissingList
import OperatingSystem
package import RegistryAPI
package import RegistryRules
package import RegistrySQL
import ServiceLifecycle
import Synchronization

/// Reads the missing lists of partners and the hidden numbers of their bikes, and sends them the visits of this
/// registry's stations to their bikes. Each partner has its own tasks and connections, so that one that is slow delays
/// no other.
package final class PartnerExchange: Service {
    let store: any RegistryStore
    let network: any PartnerNetwork
    let keyring: Keyring
    let clock: WallClock
    let entropy: Entropy
    let sleep: @Sendable (Duration) async throws -> Void
    let logger: Logger
    /// The numbers that buyers' checks are compared with.
    let numbers = PartnerNumbers()
    /// How many stations partners have.
    let counts = PartnerCounts()
    /// Hides the thousands of numbers of a partner away from the threads that serve requests.
    let longWork = LongWork(label: "partners.long-work")
    /// The random name of this process among those that share a database.
    let reader: Int64
    let state = Mutex(State())

    /// What this process knows of partners. Partners are named by their keys in the store (``ActivePartner/key``).
    struct State {
        var partners: [Int64: ActivePartner] = [:]
        /// The stored missing list of each partner.
        var lists: [Int64: MissingIdentities] = [:]
        /// Lists that are about to be committed.
        var comingLists: [Int64: MissingIdentities] = [:]
        /// Wakes the task that sends a partner its visits.
        var wakes: [Int64: WakeUp] = [:]
        /// Partners with tasks.
        var served: Set<Int64> = []
        /// Partners that did not answer in time: stations do not wait for them.
        var slow: Set<Int64> = []
        /// The tickets of requests that wait for the answer about a visit.
        var tickets: [ForwardName: [PartnerTicket]] = [:]
        /// The number of requests that wait for partners.
        var waiting = 0
        /// What partners answered, for the next update of a visit.
        var answers: [ForwardName: VisitResult] = [:]

        /// Whether a partner searches for a beacon, or will in a moment.
        func isListed(_ hash: TruncatedHash, by partner: Int64) -> Bool {
            lists[partner]?.hashes.contains(hash) == true || comingLists[partner]?.hashes.contains(hash) == true
        }
    }

    /// How often to look for partners that were added, changed, suspended or removed.
    private static let interval = Duration.seconds(1)

    package init(
        store: any RegistryStore, network: any PartnerNetwork, keyring: Keyring, clock: WallClock = .system,
        entropy: Entropy = .system,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        logger: Logger
    ) {
        self.store = store
        self.network = network
        self.keyring = keyring
        self.clock = clock
        self.entropy = entropy
        var generator = entropy
        reader = Int64.random(in: .min ... .max, using: &generator)
        self.sleep = sleep
        self.logger = logger
    }

    /// Serves each partner in tasks of its own until graceful shutdown.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    await self.refresh()
                    for partner in self.takeUnserved() {
                        group.addTask {
                            await self.serve(partner)
                            self.state.withLock { _ = $0.served.remove(partner.key) }
                        }
                    }
                    try? await self.sleep(Self.interval)
                }
                group.cancelAll()
            }
        }
    }

    /// Reads which partners there are, and their lists. Until then, no visit may be answered: it would not be
    /// forwarded.
    package func prepare() async throws {
        let partners = try await store.activePartners()
        let (known, gone) = state.withLock { state in
            let gone = Set(state.partners.keys).subtracting(partners.map(\.key))
            state.partners = Dictionary(partners.map { ($0.key, $0) }) { $1 }
            for key in gone {
                state.lists[key] = nil
                state.slow.remove(key)
            }
            return (state.lists.mapValues(\.version), gone)
        }
        for key in gone { wake(key) }
        for partner in partners where known[partner.key] != partner.list {
            let list = try await store.partnerList(of: partner.key)
            state.withLock { $0.lists[partner.key] = list }
        }
    }

    /// Reads which partners there are, and the lists that are new.
    package func refresh() async {
        do {
            try await prepare()
        } catch {
            if !Task.isCancelled { logger.error("partners cannot be read", metadata: ["error": "\(error)"]) }
        }
    }

    /// The partners without tasks. They count as served from now on.
    private func takeUnserved() -> [ActivePartner] {
        state.withLock { state in
            state.partners.values.filter { state.served.insert($0.key).inserted }
        }
    }

    /// Reads the partner's list, numbers and counts, and sends visits, until the partner or its terms have changed.
    private func serve(_ partner: ActivePartner) async {
        do {
            let connection = try network.connect(
                to: partner.url, token: partner.secret, mostListed: partner.limits.listed)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await PartnerListReading(exchange: self, partner: partner, connection: connection).run()
                }
                group.addTask { await PartnerSending(exchange: self, partner: partner, connection: connection).run() }
                group.addTask {
                    await PartnerNumberReading(exchange: self, partner: partner, connection: connection).run()
                }
                group.addTask {
                    await PartnerCountReading(exchange: self, partner: partner, connection: connection).run()
                }
                await group.next()
                group.cancelAll()
            }
        } catch {
            try? await store.noteListCheck(ofPartner: partner.key, failure: "\(error)", at: clock.now)
            try? await sleep(.seconds(60))
        }
    }

    /// Whether a partner is still there, with the same terms.
    func isCurrent(_ partner: ActivePartner) -> Bool {
        state.withLock { state in
            guard let now = state.partners[partner.key] else { return false }
            let isSamePeer = now.url == partner.url && now.secret == partner.secret
            return isSamePeer && now.limits == partner.limits && now.publicKeys == partner.publicKeys
        }
    }

    /// The names of the partners, sorted; nil if there are none.
    package var names: [String]? {
        let names = state.withLock { $0.partners.values.map(\.name) }.sorted()
        return names.isEmpty ? nil : names
    }

    /// How many stations partners have, and roughly where; nil if there are none, or none has said.
    package func areas() -> [PartnerAreas]? {
        counts.areas(of: state.withLock { Array($0.partners.values) }, at: clock.now)
    }

    /// Compares the number that a buyer checks with those of partners' missing bikes. The partners learn nothing of it.
    ///
    /// - Returns: the partners that miss such a bike, and the names of those that could not be asked.
    package func check(_ number: BikeNumber) async -> (found: [NumberElsewhere], unasked: [String]) {
        let partners = state.withLock { Array($0.partners.values) }
        guard !partners.isEmpty else { return ([], []) }
        return await numbers.check(number, among: partners, clock: clock, sleep: sleep)
    }

    /// Reads something of a partner from time to time, until the partner or its terms have changed.
    ///
    /// - Parameters:
    ///   - failure: what the log says of an error.
    ///   - pause: the pause after an error.
    func keepReading(
        _ partner: ActivePartner, every interval: Duration, failure: Logger.Message, _ read: () async throws -> Void,
        pause: (any Error) -> Duration
    ) async {
        while !Task.isCancelled, isCurrent(partner) {
            var next = interval
            do {
                try await read()
            } catch {
                next = pause(error)
                if !Task.isCancelled {
                    logger.warning(failure, metadata: ["partner": "\(partner.name)", "reason": "\(error)"])
                }
            }
            try? await sleep(next)
        }
    }

    /// The stored list of the partner with this key; nil if none is stored.
    func list(of key: Int64) -> MissingIdentities? { state.withLock { $0.lists[key] } }

    /// When a partner last confirmed its list; nil if it never did.
    func checked(_ key: Int64) -> Timestamp? { state.withLock { $0.partners[key]?.checked } }

    /// Sets the list that has been committed.
    func setList(_ list: MissingIdentities, of key: Int64) { state.withLock { $0.lists[key] = list } }

    /// Sets the list that is about to be committed; nil once it is, or if it was refused.
    func setComingList(_ list: MissingIdentities?, of key: Int64) { state.withLock { $0.comingLists[key] = list } }

    /// The signal for the task that sends a partner its visits.
    func wakeUp(of key: Int64) -> WakeUp {
        state.withLock { state in
            let wake = state.wakes[key] ?? WakeUp()
            state.wakes[key] = wake
            return wake
        }
    }

    /// Wakes the task that sends a partner its visits.
    func wake(_ key: Int64) { wakeUp(of: key).wake() }
}

extension PartnerExchange: CustomStringConvertible {
    /// The service's name in the log.
    package var description: String { "partners" }
}
