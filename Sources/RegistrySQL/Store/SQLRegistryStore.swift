package import Registry
package import RegistryAPI

/// A registry's store in an SQL database.
///
/// Its extensions implement the store's operations for every database: each opens a transaction and calls a type of
/// this room. An engine provides the transactions, and the operations that depend on its files or its caches.
package protocol SQLRegistryStore: RegistryStore {
    associatedtype EngineTransaction: Transaction

    /// The quotas of owners for whom no operator has set others.
    var quotas: Quotas { get }

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
}
