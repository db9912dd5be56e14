import Beacons
package import MissingList
package import RegistryAPI
package import RegistryRules

/// All data of a registry in an SQL database, as operations of its domain.
///
/// Each operation is one transaction: when a writing operation returns, all of it is on disk, or none of it. Operations
/// throw ``DomainError``; any other error is a bug. One suite of tests runs on every engine.
///
/// The extensions contain the operations: each opens a transaction and calls a type of this room. The requirements are
/// what an engine provides: transactions, and the operations that depend on its files, its caches or its processes.
///
/// Every row has an integer key, which stays in this room; outside, things are known by their identifiers. A value of type
/// `Int64` that is named after a thing, such as `bike` or `owner`, is the key of its row.
package protocol RegistryStore: AlertStore, CheckpointStore, JudgementStore, MaintenanceStore {
    associatedtype EngineTransaction: Transaction

    /// The quotas of owners for whom no operator has set others.
    var quotas: Quotas { get }

    /// The signals that the store's changes give in this process.
    var signals: StoreSignals { get }

    /// Waits for the work in progress, and closes the connections. Afterwards each operation fails.
    func close() async

    /// Makes an atomic change, which is on disk when this returns. The change may run twice: it must have no effect
    /// except on the database.
    func write<Result: Sendable>(
        _ change: @escaping @Sendable (EngineTransaction) throws -> Result
    ) async throws -> Result

    /// Runs a query that takes microseconds: look-ups by key and pages.
    func read<Result: Sendable>(
        _ query: @escaping @Sendable (EngineTransaction) throws -> Result
    ) async throws -> Result

    /// Runs a query for a caller that may take long. Only a few run at a time, so that short queries do not wait.
    func readAtLength<Result: Sendable>(
        _ query: @escaping @Sendable (EngineTransaction) throws -> Result
    ) async throws -> Result

    /// Checks that the store can be read and written now; otherwise throws ``DomainError/storageUnavailable(_:)``.
    func checkReadiness() async throws

    /// The caller that the token with this digest authenticates; nil if there is no such token.
    func credential(token: SecretDigest) async throws -> Credential?

    /// Records visits from one station in one transaction, each separately, in the order given.
    ///
    /// Only the part of a visit in a report’s period is stored (``OpenPeriod/parts(of:among:)``). A visit is identified by
    /// the station and its identifier. A visit that was stored before is merged (``Visit/merged(with:)``).
    /// A new visit is stored if its bike was missing (``OpenPeriod``), as one part per report.
    ///
    /// Then the new and the changed sightings are judged (``Plausibility``); if another station has reported the bike
    /// or the beacon rotates, those around them are judged again, too. Alerts about changed levels are queued. At the
    /// end, if the last part is new, alerts about it are queued (``AlertRules``): at most one for each channel of the
    /// owner and of the bike's members.
    ///
    /// - Throws: `notFound` if the station is unknown or revoked.
    func record(_ request: RecordRequest) async throws -> [RecordedVisit]

    /// Erases an owner with all related data, sightings included, if the account is unchanged since the caller saw it.
    ///
    /// The identities of the owner's beacons are never issued again. The erasure is in the journal on disk when this
    /// returns.
    /// - Throws: `changedMeanwhile`; while a bike is missing, `recoveryCodeNeeded` and `codeUnusable`.
    func eraseOwner(_ owner: Owner, by act: OwnerAct) async throws

    /// Erases a bike with its reports and their sightings, if it is unchanged since the caller saw it. The erasure is
    /// in the journal on disk when this returns; the beacon's identity is never issued again.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`; while the bike is missing, `recoveryCodeNeeded` and `codeUnusable`.
    func eraseBike(_ bike: Bike, by act: OwnerAct) async throws

    /// The version of the missing list that stations get.
    func missingListVersion() async throws -> ListVersion

    /// The version and the identities of the missing list, from a single snapshot.
    func missingList() async throws -> MissingListSnapshot

    /// Statistics about the stored data; cheap enough to request a few times a minute.
    ///
    /// - Parameter silentBefore: a station counts as silent if its last heartbeat is older.
    func statistics(silentBefore: Timestamp) async throws -> RegistryStatistics

    /// The numbers of the overview that come from the store, and the registry's last known backup.
    ///
    /// - Parameter silentBefore: a station counts as silent if its last heartbeat is older.
    func overviewNumbers(at time: Timestamp, silentBefore: Timestamp) async throws -> OverviewNumbers
}
