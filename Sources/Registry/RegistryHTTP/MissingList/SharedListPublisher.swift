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
    private let clock = ContinuousClock()
    private var latest: Published?
    private var refreshed: ContinuousClock.Instant?
    private var refreshing: Task<Published, any Error>?

    /// One version, and how it came about.
    private struct Published: Sendable {
        var identities: CountedIdentities
        /// The version of the stations' list that it was made from.
        var source: ListVersion
        /// The identities that partners do not get.
        var withheld: Set<BeaconIdentity>
        /// The changes since earlier versions, the latest last.
        var steps: [(base: ListVersion, changes: HashChanges)] = []

        func covers(_ version: ListVersion?) -> Bool { version.map { $0.number <= source.number } ?? true }
    }

    /// How often the store is asked at most without a new version, however many partners wait.
    private static let interval = Duration.milliseconds(500)
    /// The most versions, and the most hashes, whose changes are kept.
    private static let longest = (versions: 256, hashes: 500_000)

    init(store: any RegistryStore) { self.store = store }

    /// The response for a partner that has a version.
    enum Answer {
        case unchanged(ListVersion)
        case changes(ByteBuffer, ListVersion)
        case full(ByteBuffer, ListVersion)
    }

    /// - Parameter version: the version of the stations' list that the answer must take into account; nil for any.
    func answer(since base: ListVersion?, atLeast version: ListVersion? = nil) async throws -> Answer {
        let published = try await current(atLeast: version)
        let list = published.identities.list
        guard let base else { return .full(ByteBuffer(bytes: list.encoded), list.version) }
        if base == list.version { return .unchanged(list.version) }
        guard let start = published.steps.firstIndex(where: { $0.base == base }) else {
            return .full(ByteBuffer(bytes: list.encoded), list.version)
        }
        let changes = HashChanges(adding: published.steps[start...].map(\.changes))
        let delta = ListDelta(to: list, from: base, removed: changes.removed, added: changes.added)
        return .changes(ByteBuffer(bytes: delta.encoded), list.version)
    }

    private func current(atLeast version: ListVersion?) async throws -> Published {
        while true {
            if let latest, let refreshed, refreshed + Self.interval > clock.now, latest.covers(version) {
                return latest
            }
            guard let refreshing else { break }
            // It may have begun before that version.
            let read = try await refreshing.value
            if read.covers(version) { return read }
        }
        let task = Task { try await self.refresh() }
        refreshing = task
        return try await task.value
    }

    private func refresh() async throws -> Published {
        // Reset before this task ends: a caller that awaits it would otherwise find it again, forever.
        defer { refreshing = nil }
        let next = try await successor(of: latest)
        latest = next
        refreshed = clock.now
        return next
    }

    private func successor(of latest: Published?) async throws -> Published {
        let state = try await store.sharedList(since: latest?.source)
        if let latest, let next = Self.applied(state, to: latest) { return next }
        guard case .all(let snapshot) = state.own else {
            let state = try await store.sharedList(since: nil)
            guard case .all(let snapshot) = state.own else { throw DomainError.overloaded }
            return Self.whole(snapshot, without: state.withheld)
        }
        return Self.whole(snapshot, without: state.withheld)
    }

    private static func whole(_ snapshot: MissingListSnapshot, without withheld: Set<BeaconIdentity>) -> Published {
        let shared = (snapshot.identities + snapshot.concealed).filter { !withheld.contains($0) }
        return Published(
            identities: CountedIdentities(version: version(snapshot.version.number), identities: shared),
            source: snapshot.version, withheld: withheld)
    }

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
        let (before, after) = (latest.withheld, state.withheld)
        // Identities that stay on the stations' list, but join or leave the list for partners.
        let come = before.subtracting(after).subtracting(added).subtracting(removed)
        let gone = after.subtracting(before).subtracting(added)
        let joining = added.subtracting(after).union(come)
        let leaving = removed.subtracting(before).union(gone)
        var next = latest
        next.source = source
        next.withheld = after
        guard !joining.isEmpty || !leaving.isEmpty else { return next }
        let list = latest.identities.list
        guard
            let (identities, _) = latest.identities.changed(
                to: version(source.number), removing: Array(leaving), adding: Array(joining))
        else { return nil }
        next.identities = identities
        next.steps.append((list.version, HashChanges(from: list.hashes, to: identities.list.hashes)))
        while next.steps.count > longest.versions
            || next.steps.reduce(0, { $0 + $1.changes.count }) > longest.hashes
        {
            next.steps.removeFirst()
        }
        return next
    }
}
