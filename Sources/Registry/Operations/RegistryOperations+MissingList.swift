public import MissingList
import RegistryAPI

extension RegistryOperations {
    /// How long the journal of the list's changes reaches back.
    public static let missingListJournal = Duration.seconds(7 * 86_400)

    public func missingListVersion() async throws -> ListVersion { try await store.missingListVersion() }

    public func missingList() async throws -> MissingListSnapshot { try await store.missingList() }

    public func missingListChanges(
        since version: ListVersion, upTo last: ListVersion?
    ) async throws -> MissingListChanges? {
        try await store.missingListChanges(since: version, upTo: last)
    }

    /// Keeps the journal from growing for ever; to be called every hour.
    public func trimMissingListJournal() async throws {
        let now = clock.now
        try await store.forgetMissingListChanges(
            before: now.advanced(by: .zero - Self.missingListJournal), now: now
        )
    }
}
