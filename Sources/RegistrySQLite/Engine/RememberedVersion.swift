import MissingList
import Synchronization

/// The missing list's version as it was read last: stations ask for it all the time, and it seldom changes.
///
/// Only this process writes the database (``DatabaseLock``). A change of the list makes it forgotten after the commit and
/// before the change is answered, so that nobody who has seen a change answered gets the version before it.
final class RememberedVersion: Sendable {
    private struct State {
        var version: ListVersion?
        /// Whether the group under way has changed the list.
        var isTouched = false
        /// Counts the groups that have: what was read before may be old.
        var generation = 0
    }

    private let state = Mutex(State())

    /// The version as it was kept, or as it is found.
    func version(find: () async throws -> ListVersion) async throws -> ListVersion {
        let (known, generation) = state.withLock { ($0.version, $0.generation) }
        if let known { return known }
        let found = try await find()
        state.withLock { if $0.generation == generation { $0.version = found } }
        return found
    }

    func touch() { state.withLock { $0.isTouched = true } }

    /// Forgets the version if the group that just ended has changed the list, or has tried to.
    ///
    /// - Returns: whether it has.
    func forgetTouched() -> Bool {
        state.withLock { state in
            guard state.isTouched else { return false }
            state = State(generation: state.generation + 1)
            return true
        }
    }
}
