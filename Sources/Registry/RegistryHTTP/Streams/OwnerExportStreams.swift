import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import Synchronization

/// The exports that are being read: one for each owner, since each takes time on the connections for long queries.
///
/// An export costs as much memory as one page, so a limit for all owners together is not needed.
final class OwnerExportStreams: Sendable {
    private let operations: RegistryOperations
    /// The owners whose exports are being read.
    private let running = Mutex<Set<OwnerID>>([])

    init(operations: RegistryOperations) { self.operations = operations }

    /// An export that runs; it ends when nothing refers to it.
    private final class Seat: Sendable {
        private let streams: OwnerExportStreams
        private let owner: OwnerID

        init(_ streams: OwnerExportStreams, _ owner: OwnerID) {
            self.streams = streams
            self.owner = owner
        }

        deinit { streams.running.withLock { _ = $0.remove(owner) } }
    }

    /// A response that lasts until the client has read everything.
    ///
    /// - Parameter requireAccess: throws if the caller may no longer read.
    /// - Throws: `exportRunning`.
    func open(
        for owner: OwnerID, over connection: any NIOCore.Channel,
        requireAccess: @escaping @Sendable () async throws -> Void
    ) throws -> Response {
        guard running.withLock({ $0.insert(owner).inserted }) else { throw DomainError.exportRunning }
        let seat = Seat(self, owner)
        let export = OwnerExportText(
            of: owner, at: operations.clock.now, from: operations.store, longWork: operations.longWork,
            over: connection, requireAccess: requireAccess)
        let body = ResponseBody { writer in
            defer { withExtendedLifetime(seat) {} }
            var export = export
            try await export.write(to: &writer)
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: MediaType.json, .cacheControl: "no-store"], body: body)
    }
}
