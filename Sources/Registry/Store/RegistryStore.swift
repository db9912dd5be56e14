/// Everything that a registry keeps, as verbs of its domain.
///
/// Each verb is one transaction: all of it is on disk when a writing verb returns, or none of it. Verbs throw
/// ``DomainError``; anything else is a fault of the program. One contract test suite runs on every implementation.
public protocol RegistryStore: PrincipalStore, OwnerStore, BikeStore, TransferStore, ReportStore, ChannelStore,
    StationStore, SightingStore, AppStore, AlertStore, AcknowledgementStore, FindStore, AuditStore, EvidenceStore,
    MaintenanceStore, OperatorStore, ReviewStore,
    StatisticsStore, MissingListStore
{
    /// Whether the store can read and write now; throws ``DomainError/storageUnavailable(_:)`` where it cannot.
    func checkReadiness() async throws
}

/// How many items of a list to bring, and after which one.
public struct PageRequest<Cursor: Sendable>: Sendable {
    public let after: Cursor?
    /// At least 1.
    public let limit: Int

    public init(after: Cursor? = nil, limit: Int) {
        self.after = after
        self.limit = max(1, limit)
    }
}

/// A part of a list and where the next part begins.
public struct StoredPage<Item: Sendable, Cursor: Sendable>: Sendable {
    public let items: [Item]
    /// nil on the last page.
    public let next: Cursor?

    public init(items: [Item], next: Cursor?) {
        self.items = items
        self.next = next
    }
}
