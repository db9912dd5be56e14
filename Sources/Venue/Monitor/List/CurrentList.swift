public import MissingList
import Synchronization

/// The current missing list: list sync writes it, the scan loop reads it.
public final class CurrentList: Sendable {
    private struct State {
        var identities: MissingIdentities
        /// When the registry last confirmed the list; nil if that is unknown.
        var confirmed: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter now: returns the time since boot; for tests.
    public init(_ list: MissingIdentities = .empty, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        state = Mutex(State(identities: list))
        self.now = now
    }

    /// The list that is in use now.
    public var identities: MissingIdentities {
        state.withLock { $0.identities }
    }

    /// The time since the registry last confirmed this list; nil if it is unknown, because there was no list yet or the
    /// clock was wrong.
    public var age: Duration? {
        state.withLock { $0.confirmed }.map { $0.duration(to: now()) }
    }

    /// Puts another list in use.
    ///
    /// - Parameter age: the time since the registry last confirmed the list; nil if it is unknown.
    func replace(with identities: MissingIdentities, age: Duration? = .zero) {
        let confirmed = age.map { now() - $0 }
        state.withLock { $0 = State(identities: identities, confirmed: confirmed) }
    }

    /// Notes that the registry has confirmed the list.
    func confirm() {
        let now = now()
        state.withLock { $0.confirmed = now }
    }
}
