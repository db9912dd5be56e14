package import Logging
import RegistryRules
package import RegistrySQL
import ServiceLifecycle

/// Deletes pictures that no photo needs. Every minute: those of removed photos whose deletion failed or was
/// interrupted. At the start and once a day: those that never got a photo.
package struct PhotoUpkeep: Service {
    private let records: any RegistryStore
    private let library: PhotoLibrary
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger

    private static let interval = Duration.seconds(60)
    /// A day of rounds, one each ``interval``.
    private static let roundsPerDay = 1440

    package init(
        records: any RegistryStore, library: PhotoLibrary,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        logger: Logger
    ) {
        self.records = records
        self.library = library
        self.sleep = sleep
        self.logger = logger
    }

    package func run() async throws {
        var round = 0
        repeat {
            await tidy(orphans: round % Self.roundsPerDay == 0)
            round += 1
            try? await cancelWhenGracefulShutdown { try await sleep(Self.interval) }
        } while !Task.isShuttingDownGracefully && !Task.isCancelled
    }

    /// Deletes the pictures of removed photos.
    ///
    /// - Parameter orphans: whether to look for pictures that never got a photo, too.
    package func tidy(orphans: Bool) async {
        await perform("pictures of removed photos deleted") {
            var (count, total) = (0, 0)
            repeat {
                count = try await library.deleteRemoved(from: records)
                total += count
            } while count >= PhotoLibrary.batch && !Task.isCancelled
            return total
        }
        guard orphans else { return }
        await perform("pictures without a photo deleted") { try await library.deleteOrphans(unknownTo: records) }
    }

    /// Does one part; if it fails, a later round repeats it.
    private func perform(_ name: String, _ part: () async throws -> Int) async {
        do {
            let count = try await part()
            if count > 0 { logger.info("\(name)", metadata: ["count": "\(count)"]) }
        } catch {
            // Do not log this when the program ends.
            if !Task.isCancelled {
                logger.error("photos cannot be tidied", metadata: ["part": "\(name)", "error": "\(error)"])
            }
        }
    }
}
