import MissingList
import Synchronization

/// A cache of the missing list's version: stations request it all the time, and it seldom changes.
///
/// Only this process writes the database (``DatabaseLock``). The cached version is dropped after the commit of a change
/// of the list and before the change is confirmed, so a caller that has seen a confirmed change never gets an earlier
/// version.
final class RememberedVersion: Sendable {
    private struct State {
        var version: ListVersion?
        /// Whether the current group has changed the list.
        var isTouched = false
        /// The number of groups that changed the list; a version read before the last one may be out of date.
        var generation = 0
    }

    private let state = Mutex(State())

    /// The cached version, or the one that `find` returns.
    func version(find: () async throws -> ListVersion) async throws -> ListVersion {
        let (known, generation) = state.withLock { ($0.version, $0.generation) }
        if let known { return known }
        let found = try await find()
        state.withLock { if $0.generation == generation { $0.version = found } }
        return found
    }

    /// Notes that the current group changes the list.
    func touch() { state.withLock { $0.isTouched = true } }

    /// Drops the version if the group that just ended changed the list, or tried to.
    func forgetTouched() {
        state.withLock { state in
            if state.isTouched { state = State(generation: state.generation + 1) }
        }
    }
}
