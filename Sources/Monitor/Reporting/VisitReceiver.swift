public import RegistryAPI
public import RegistryClient

/// Whoever takes visits: the registry, or a model of it.
public protocol VisitReceiver: Sendable {
    /// Takes visits and answers each, in their order.
    ///
    /// - Throws: ``RegistryError`` where all are refused or none arrived.
    func report(_ visits: [Visit]) async throws -> VisitBatchResult
}

extension RegistryConnection: VisitReceiver {}
