import Beacons
package import Logging
import RegistryAPI
package import RegistryRules
package import RegistrySQL
import ServiceLifecycle
import Synchronization

/// Derives the identities that the rotating beacons of missing bikes will send, stores them, and keeps those of the
/// present on the missing list.
package struct RotationUpkeep: Service {
    private let store: any RegistryStore
    /// Opens the beacons' keys; nil if the operator has created no key file.
    private let vault: BeaconVault?
    private let allocation: IdentityAllocation
    private let clock: WallClock
    private let entropy: Entropy
    private let interval: Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger
    private let progress = Progress()

    /// Which beacons' keys have been tried.
    private final class Progress: Sendable {
        struct State {
            /// Whether all keys were tried since the start.
            var hasTriedAll = false
            /// The key in the store of the last marked beacon that was tried again.
            var retried: Int64 = 0
        }

        let state = Mutex(State())
    }

    /// The maximum number of beacons in one transaction.
    private static let batch = 100
    /// The maximum number of beacons that are read together.
    private static let page = 1000
    /// The minimum number of missing bikes for a canary: on a short list, a station may happen to know all others.
    private static let fewestForCanary = 10

    package init(
        store: any RegistryStore, vault: BeaconVault?, allocation: IdentityAllocation = IdentityAllocation(),
        clock: WallClock = .system, entropy: Entropy = .system, interval: Duration = .seconds(60),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }, logger: Logger
    ) {
        self.store = store
        self.vault = vault
        self.allocation = allocation
        self.clock = clock
        self.entropy = entropy
        self.interval = interval
        self.sleep = sleep
        self.logger = logger
    }

    /// Does the rounds until graceful shutdown.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await round()
                guard (try? await sleep(interval)) != nil else { return }
            }
        }
    }

    /// Does all work that is due. A failure is logged, and the next round tries again.
    package func round() async {
        do {
            try await tryKeys()
            let count = try await deriveAll()
            let moved = try await store.moveWindows(of: nil, at: clock.now)
            if count + moved > 0 {
                logger.info("rotating beacons listed", metadata: ["derived": "\(count)", "moved": "\(moved)"])
            }
            while try await store.deleteOldSlots(limit: Self.batch, at: clock.now) >= Self.batch, !Task.isCancelled {}
            _ = try await store.placeCanary(
                from: allocation, ifMissing: Self.fewestForCanary, at: clock.now, using: entropy)
        } catch {
            // Do not log this when the program ends.
            if !Task.isCancelled { logger.error("rotating beacons not listed", metadata: ["error": "\(error)"]) }
        }
    }

    /// The result of an attempt to list one beacon.
    enum Listing {
        /// It is listed, or nothing had to be done, or a later round does it.
        case done
        /// Its key cannot be opened.
        case unreadable
    }

    /// Lists the beacon of a bike that was just reported missing or checked, before the response to the call is sent.
    /// Does nothing for a beacon that does not rotate.
    ///
    /// A failure is only logged: the report is open, and the next round lists the beacon.
    @discardableResult
    func list(_ bike: BikeID) async -> Listing {
        do {
            let beacon = try await store.beaconWithoutSlots(of: bike, at: clock.now)
            let derived = try await derive(beacon.map { [$0] } ?? [])
            _ = try await store.moveWindows(of: bike, at: clock.now)
            return beacon != nil && derived == 0 ? .unreadable : .done
        } catch {
            logger.error("rotating beacon not listed", metadata: ["bike": "\(bike)", "error": "\(error)"])
            return .done
        }
    }

    /// Tries all keys once after a start, because the key file may have been replaced. Later, each round tries some of
    /// those that could not be opened: another registry may have the right file.
    private func tryKeys() async throws {
        if !progress.state.withLock(\.hasTriedAll) {
            var last: Int64 = 0
            while !Task.isCancelled {
                let beacons = try await store.rotatingBeacons(after: last, unreadable: false, limit: Self.page)
                _ = try await opened(beacons)
                guard beacons.count >= Self.page, let next = beacons.last?.key else { break }
                last = next
            }
            return progress.state.withLock { $0.hasTriedAll = true }
        }
        guard vault != nil else { return }
        let last = progress.state.withLock(\.retried)
        let beacons = try await store.rotatingBeacons(after: last, unreadable: true, limit: Self.batch)
        _ = try await opened(beacons)
        // After the last of them, begin with the first again.
        let next = beacons.count < Self.batch ? 0 : (beacons.last?.key ?? 0)
        progress.state.withLock { $0.retried = next }
    }

    /// Opens keys, and marks the beacons whose keys cannot be opened.
    private func opened(_ beacons: [SealedBeacon]) async throws -> [(beacon: SealedBeacon, key: RotatingBeaconKey)] {
        var opened: [(beacon: SealedBeacon, key: RotatingBeaconKey)] = []
        // The beacons to mark, and those whose mark is to be removed, by their keys in the store.
        var (lost, found): ([Int64], [Int64]) = ([], [])
        for beacon in beacons {
            if let key = vault?.open(beacon.sealed, of: beacon.name) {
                opened.append((beacon, key))
                if beacon.isUnreadable { found.append(beacon.key) }
            } else if !beacon.isUnreadable {
                lost.append(beacon.key)
            }
        }
        if !lost.isEmpty {
            try await store.mark(lost, unreadable: true)
            logger.error(
                "the keys of rotating beacons cannot be opened: beacons.keyFile must name the file with which they were sealed",
                metadata: ["beacons": "\(lost.count)"])
        }
        if !found.isEmpty {
            try await store.mark(found, unreadable: false)
            logger.info("the keys of rotating beacons can be opened again", metadata: ["beacons": "\(found.count)"])
        }
        return opened
    }

    /// Stores the slots that all beacons of missing bikes need, in transactions of at most ``batch`` beacons.
    ///
    /// - Returns: the number of beacons whose keys could be opened.
    private func deriveAll() async throws -> Int {
        var total = 0
        var next: Int64? = 0
        while let start = next, !Task.isCancelled {
            let part = try await store.beaconsWithoutSlots(after: start, among: Self.page, at: clock.now)
            var rest = part.beacons[...]
            while !rest.isEmpty {
                total += try await derive(Array(rest.prefix(Self.batch)))
                rest = rest.dropFirst(Self.batch)
            }
            next = part.next
        }
        return total
    }

    /// Stores the slots that beacons need.
    ///
    /// - Returns: the number of beacons whose keys could be opened.
    private func derive(_ beacons: [SealedBeacon]) async throws -> Int {
        let now = clock.now
        let opened = try await opened(beacons)
        let derived = opened.flatMap { beacon, key in
            RotationRules.allMissing(at: now, beacon.clock, stored: beacon.stored).map { slots in
                DerivedSlots(beacon: beacon.key, first: slots.lowerBound, identities: key.identities(of: slots))
            }
        }
        if !derived.isEmpty { try await store.storeSlots(derived) }
        return opened.count
    }
}

extension RotationUpkeep: CustomStringConvertible {
    /// The service's name in the log.
    package var description: String { "rotating beacons" }
}
