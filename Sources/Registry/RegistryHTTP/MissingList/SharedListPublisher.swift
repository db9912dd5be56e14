import Beacons
import MissingList
import NIOCore
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The registry's own missing list for partners, with its changes since earlier versions.
///
/// Its versions exist in this process only: after a restart, or from another process, a partner gets the whole list.
/// There are few partners, and the list has three bytes for each bike.
actor SharedListPublisher {
    private let store: any RegistryStore
    private var latest: Published?
    private var refreshing: (task: Task<Published, any Error>, round: UInt64?)?
    /// The encoded answers about one version, by the version that the partner has; nil for the whole list.
    private var bodies: (version: ListVersion?, encoded: [ListVersion?: ByteBuffer]) = (nil, [:])

    /// One version, and how it came about.
    private struct Published: Sendable {
        var identities: CountedIdentities
        /// The version of the stations' list that it was made from.
        var source: ListVersion
        /// The identities that partners do not get.
        var withheld: Set<BeaconIdentity>
        /// The round of waits in which the store was read; nil if there are none.
        var round: UInt64?
        /// The changes since earlier versions, the latest last.
        var steps: [(base: ListVersion, changes: HashChanges)] = []
    }

    /// The most encoded answers that are kept. Usually all partners have the last version.
    private static let mostBodies = 16
    /// The most versions whose changes are kept.
    private static let mostSteps = 256
    /// The most hashes in the changes that are kept.
    private static let mostChangedHashes = 500_000

    init(store: any RegistryStore) { self.store = store }

    /// The response for a partner, with the version that the partner has afterwards.
    enum Answer {
        /// The partner has the latest version.
        case unchanged(ListVersion)
        /// The encoded changes since the partner's version.
        case changes(ByteBuffer, ListVersion)
        /// The encoded list.
        case full(ByteBuffer, ListVersion)
    }

    /// The answer for a partner. The store is read once in each round of waits, however many partners ask.
    ///
    /// - Parameters:
    ///   - base: the version that the partner has; nil if it has none.
    ///   - round: the round of waits in which the partner asks; nil if there are none, so that the store is read.
    func answer(since base: ListVersion?, round: UInt64?) async throws -> Answer {
        let published = try await current(round)
        let list = published.identities.list
        if base == list.version { return .unchanged(list.version) }
        guard let base, let start = published.steps.firstIndex(where: { $0.base == base }) else {
            return .full(body(of: list, since: nil) { list.encoded }, list.version)
        }
        let delta = body(of: list, since: base) {
            let changes = HashChanges(adding: published.steps[start...].map(\.changes))
            return ListDelta(to: list, from: base, removed: changes.removed, added: changes.added).encoded
        }
        return .changes(delta, list.version)
    }

    /// An encoded answer, which is made once: a partner must not make the registry encode its list all the time.
    private func body(of list: MissingIdentities, since base: ListVersion?, _ encode: () -> [UInt8]) -> ByteBuffer {
        if bodies.version != list.version { bodies = (list.version, [:]) }
        if let known = bodies.encoded[base] { return known }
        if bodies.encoded.count >= Self.mostBodies { bodies.encoded = [:] }
        let body = ByteBuffer(bytes: encode())
        bodies.encoded[base] = body
        return body
    }

    /// The latest version, or a new one if the store was not read in this round yet.
    private func current(_ round: UInt64?) async throws -> Published {
        while let refreshing {
            let read = try await refreshing.task.value
            // It may have begun before this round.
            if let round, let begun = refreshing.round, begun >= round { return read }
        }
        if let latest, let round, let read = latest.round, read >= round { return latest }
        let task = Task { try await self.refresh(in: round) }
        refreshing = (task, round)
        return try await task.value
    }

    private func refresh(in round: UInt64?) async throws -> Published {
        // Reset before this task ends: a caller that awaits it would otherwise find it again, forever.
        defer { refreshing = nil }
        var next = try await successor(of: latest)
        next.round = round
        latest = next
        return next
    }

    private func successor(of latest: Published?) async throws -> Published {
        let state = try await store.sharedList(since: latest?.source)
        if let latest, let next = Self.applied(state, to: latest) { return next }
        if case .all(let snapshot) = state.own { return Self.whole(snapshot, without: state.withheld) }
        // The changes do not fit the latest version.
        let wholeState = try await store.sharedList(since: nil)
        guard case .all(let snapshot) = wholeState.own else { throw DomainError.overloaded }
        return Self.whole(snapshot, without: wholeState.withheld)
    }

    /// A first version, without changes since earlier ones.
    private static func whole(_ snapshot: MissingListSnapshot, without withheld: Set<BeaconIdentity>) -> Published {
        let shared = (snapshot.identities + snapshot.concealed).filter { !withheld.contains($0) }
        return Published(
            identities: CountedIdentities(version: version(snapshot.version.number), identities: shared),
            source: snapshot.version, withheld: withheld)
    }

    /// A version that no other process makes, by its random mark.
    private static func version(_ number: UInt64) -> ListVersion {
        ListVersion(number: number, mark: UInt64.random(in: .min ... .max))
    }

    /// The next version; the same one if nothing changed for partners; nil if the whole list must be read.
    private static func applied(_ state: SharedListState, to latest: Published) -> Published? {
        var source = latest.source
        var (added, removed): (Set<BeaconIdentity>, Set<BeaconIdentity>) = ([], [])
        switch state.own {
        case .unchanged: break
        case .changes(let changes):
            source = changes.to
            (added, removed) = (Set(changes.added), Set(changes.removed))
        case .all: return nil
        }
        let (withheldBefore, withheldNow) = (latest.withheld, state.withheld)
        // Identities that stay on the stations' list, but join or leave the list for partners.
        let released = withheldBefore.subtracting(withheldNow).subtracting(added).subtracting(removed)
        let withdrawn = withheldNow.subtracting(withheldBefore).subtracting(added)
        let joining = added.subtracting(withheldNow).union(released)
        let leaving = removed.subtracting(withheldBefore).union(withdrawn)
        var next = latest
        next.source = source
        next.withheld = withheldNow
        guard !joining.isEmpty || !leaving.isEmpty else { return next }
        let list = latest.identities.list
        guard
            let (identities, _) = latest.identities.changed(
                to: version(source.number), removing: Array(leaving), adding: Array(joining))
        else { return nil }
        next.identities = identities
        next.steps.append((list.version, HashChanges(from: list.hashes, to: identities.list.hashes)))
        forgetOldSteps(of: &next)
        return next
    }

    private static func forgetOldSteps(of list: inout Published) {
        while list.steps.count > mostSteps || list.steps.reduce(0, { $0 + $1.changes.count }) > mostChangedHashes {
            list.steps.removeFirst()
        }
    }
}
