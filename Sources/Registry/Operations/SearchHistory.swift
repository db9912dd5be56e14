import RegistryAPI
import Synchronization

/// The counts of what became of searches, which change only at midnight.
final class SearchHistory: Sendable {
    private let latest = Mutex<(day: Timestamp, counts: ClosedSearches)?>(nil)

    /// - Parameter read: reads the counts; called only for the first time on a day.
    func current(on day: Timestamp, _ read: () async throws -> ClosedSearches) async throws -> ClosedSearches {
        if let latest = latest.withLock(\.self), latest.day == day { return latest.counts }
        let counted = try await read()
        latest.withLock { $0 = (day, counted) }
        return counted
    }
}
