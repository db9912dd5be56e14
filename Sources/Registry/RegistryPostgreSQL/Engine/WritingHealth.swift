import Synchronization

/// Whether the last group of changes could be stored.
final class WritingHealth: Sendable {
    private let failed = Mutex(false)

    var hasFailed: Bool { failed.withLock(\.self) }

    func note(_ failure: (any Error)?) { failed.withLock { $0 = failure != nil } }
}

/// Whether the current group has changed any row. Services that look for work often find none.
final class GroupChanges: Sendable {
    private let hasChanged = Mutex(false)

    /// Notes whether a group has changed any row. A group may be repeated; the last attempt counts.
    func note(_ changed: Bool) { hasChanged.withLock { $0 = changed } }

    func take() -> Bool {
        hasChanged.withLock { changed in
            defer { changed = false }
            return changed
        }
    }
}
