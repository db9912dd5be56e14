import Synchronization

/// Whether the last group of changes could be stored.
final class WritingHealth: Sendable {
    private let failed = Mutex(false)

    var hasFailed: Bool { failed.withLock(\.self) }

    func note(_ failure: (any Error)?) { failed.withLock { $0 = failure != nil } }
}

/// What the current group has changed.
final class GroupChanges: Sendable {
    struct Changes: Sendable {
        /// Whether any row was changed. Services that look for work often find none.
        var anything = false
        var missingList = false
    }

    private let changes = Mutex(Changes())

    /// Notes it for a group that may be repeated: the last attempt counts.
    func note(_ changed: Changes) { changes.withLock { $0 = changed } }

    func take() -> Changes {
        changes.withLock { changes in
            defer { changes = Changes() }
            return changes
        }
    }
}
