public import MissingList
import Synchronization

/// The missing list that holds now: list sync writes it, the scan loop reads it.
public final class CurrentList: Sendable {
    private struct State {
        var identities: MissingIdentities
        var confirmed: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter now: tells the time since boot; for tests.
    public init(_ list: MissingIdentities = .empty, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        state = Mutex(State(identities: list))
        self.now = now
    }

    public var identities: MissingIdentities {
        state.withLock { $0.identities }
    }

    /// How long ago the registry last said that this is the list; nil where that is not known, since there was no list
    /// yet or the clock was wrong.
    public var age: Duration? {
        state.withLock { $0.confirmed }.map { $0.duration(to: now()) }
    }

    /// - Parameter age: how long ago the registry said so.
    func replace(with identities: MissingIdentities, age: Duration? = .zero) {
        let confirmed = age.map { now() - $0 }
        state.withLock { $0 = State(identities: identities, confirmed: confirmed) }
    }

    /// The registry says that it is still the list.
    func confirm() {
        let now = now()
        state.withLock { $0.confirmed = now }
    }
}
