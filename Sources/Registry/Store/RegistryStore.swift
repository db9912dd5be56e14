/// All data of a registry, as operations of its domain.
///
/// Each operation is one transaction: when a writing operation returns, all of it is on disk, or none of it.
/// Operations throw ``DomainError``; any other error is a bug. One contract test suite runs on every implementation.
public protocol RegistryStore: PrincipalStore, SessionStore, DeskStore, OverviewStore, OwnerStore, OwnerExportStore,
    BikeStore, TransferStore, ReportStore, ChannelStore, ConversationStore, ConversationUpkeep, DisplayStore,
    StationStore, SightingStore, AppStore, AlertStore, AcknowledgementStore, FindStore, AuditStore, EvidenceStore,
    MaintenanceStore, MemberStore, NumberCheckStore, OperatorStore, PhotoRecords, ReviewStore, RotationStore,
    ShareStore, StatisticsStore, MissingListStore
{
    /// Checks that the store can be read and written now; otherwise throws ``DomainError/storageUnavailable(_:)``.
    func checkReadiness() async throws
}

/// The number of items of a list to return, and the item to start after.
public struct PageRequest<Cursor: Sendable>: Sendable {
    public let after: Cursor?
    /// The maximum number of items, at least 1.
    public let limit: Int

    public init(after: Cursor? = nil, limit: Int) {
        self.after = after
        self.limit = max(1, limit)
    }
}

/// A part of a list, and the start of the next part.
public struct StoredPage<Item: Sendable, Cursor: Sendable>: Sendable {
    public let items: [Item]
    /// The cursor of the next page; nil on the last page.
    public let next: Cursor?

    public init(items: [Item], next: Cursor?) {
        self.items = items
        self.next = next
    }
}
