import Synchronization

/// A queue of events for one reader, in the order in which they were posted.
final class EventQueue<Event: Sendable>: Sendable {
    private struct State {
        var events: [Event] = []
        var reader: CheckedContinuation<Event?, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds an event; false if the queue is closed.
    @discardableResult
    func post(_ event: Event) -> Bool {
        // The reader is resumed outside of the lock.
        let (reader, isOpen) = state.withLock { state in
            guard !state.isClosed else { return (nil as CheckedContinuation<Event?, Never>?, false) }
            defer { state.reader = nil }
            if state.reader == nil { state.events.append(event) }
            return (state.reader, true)
        }
        reader?.resume(returning: event)
        return isOpen
    }

    /// The next event; nil once the task is cancelled or the queue is closed.
    func next() async -> Event? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let (event, mustWait) = state.withLock { state in
                    guard !state.isClosed, !Task.isCancelled else { return (nil as Event?, false) }
                    guard state.events.isEmpty else { return (state.events.removeFirst(), false) }
                    state.reader = reader
                    return (nil, true)
                }
                if !mustWait { reader.resume(returning: event) }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }?.resume(returning: nil)
        }
    }

    /// Removes the unread events that the predicate selects.
    func removeAll(where isUnwanted: (Event) -> Bool) {
        state.withLock { $0.events.removeAll(where: isUnwanted) }
    }

    /// Closes the queue; returns the unread events.
    func close() -> [Event] {
        let (reader, left) = state.withLock { state in
            defer { (state.reader, state.events, state.isClosed) = (nil, [], true) }
            return (state.reader, state.events)
        }
        reader?.resume(returning: nil)
        return left
    }
}
