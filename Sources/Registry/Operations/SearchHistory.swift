import RegistryAPI
import Synchronization

/// The counts of the searches that ended before today, which change only at midnight.
final class SearchHistory: Sendable {
    private let latest = Mutex<ClosedSearches?>(nil)

    /// - Parameter read: reads the counts; called only for the first time on a day.
    func current(until day: Timestamp, _ read: () async throws -> ClosedSearches) async throws -> ClosedSearches {
        if let latest = latest.withLock(\.self), latest.until == day { return latest }
        let counted = try await read()
        latest.withLock { $0 = counted }
        return counted
    }
}
