public import RegistryAPI
import Synchronization

/// Signals the live followers of a report that its sightings have changed: one signal for all, in this process.
public final class TrailSignal: Sendable {
    /// A subscription that ends when it is released.
    public final class Subscription: Sendable {
        private let end: @Sendable () -> Void

        fileprivate init(end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }

    private struct State {
        /// The number of the latest subscription.
        var latest: UInt64 = 0
        /// The callbacks of each report, by the numbers of their subscriptions.
        var followers: [ReportID: [UInt64: @Sendable () -> Void]] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// Calls back at each change until the subscription is released; the callback must return quickly.
    public func follow(_ report: ReportID, onChange: @escaping @Sendable () -> Void) -> Subscription {
        let number = state.withLock { state in
            state.latest += 1
            state.followers[report, default: [:]][state.latest] = onChange
            return state.latest
        }
        return Subscription { [weak self] in self?.end(number, report) }
    }

    /// The reports that have followers.
    public var followed: Set<ReportID> { state.withLock { Set($0.followers.keys) } }

    /// Calls back the followers of these reports.
    public func wake(_ reports: Set<ReportID>) {
        let callbacks = state.withLock { state -> [@Sendable () -> Void] in
            var callbacks: [@Sendable () -> Void] = []
            guard !state.followers.isEmpty else { return callbacks }
            for report in reports {
                if let followers = state.followers[report] { callbacks += followers.values }
            }
            return callbacks
        }
        for callback in callbacks { callback() }
    }

    private func end(_ number: UInt64, _ report: ReportID) {
        state.withLock { state in
            state.followers[report]?[number] = nil
            if state.followers[report]?.isEmpty == true { state.followers[report] = nil }
        }
    }
}
