import Foundation
import Logging
import PhotoFiles
import RegistryAPI
import RegistryPostgreSQL
import RegistryRules
import RegistrySQL
import RegistrySQLite
import ServiceLifecycle

/// The open database of a running registry, with the data that is kept in it or next to it.
struct RegistryDatabase {
    let store: any RegistryStore
    let pictures: any PhotoStore
    /// Where the keys are kept that recognise finders within a day.
    let findSenders: FindSenders.Place
    let challenges: PasskeyChallenges
    /// Follows the changes of other processes on the same database, and calls back after each look at them; nil if there
    /// are none.
    let follow: (@Sendable (_ looked: @escaping @Sendable () async -> Void) async -> Void)?

    /// Opens the database. An SQLite file that is missing is created.
    ///
    /// - Parameter quotas: of owners for whom no operator has set others.
    /// - Throws: ``StoreOpenError`` or ``PostgreSQLOpenError``.
    init(at place: DatabasePlace, quotas: Quotas, _ logger: Logger) async throws {
        switch place {
        case .file(let path):
            let isNew = !FileManager.default.fileExists(atPath: path)
            store = try SQLiteRegistryStore(path: path, quotas: quotas)
            if isNew {
                logger.notice(
                    "there was no database, so an empty one was made; ‘findmybike-registry restore’ brings back a backup",
                    metadata: ["database": "\(path)"])
            }
            pictures = FilePhotoStore(folder: FilePhotoStore.folder(ofDatabase: path))
            findSenders = .file(ofDatabase: path, logger)
            challenges = PasskeyChallenges()
            follow = nil
        case .server(let server):
            logger.info("opening the database")
            let store = try await PostgreSQLRegistryStore.open(server, quotas: quotas) { logger.info("\($0)") }
            let replayed = try await store.openJournals()
            if replayed != ReplayedEntries() {
                logger.notice(
                    "repeated what a restored backup did not know",
                    metadata: ["erasures": "\(replayed.erasures)", "revocations": "\(replayed.revocations)"])
            }
            logger.info("the database is open")
            self.store = store
            pictures = store.pictures
            findSenders = store.findSenders { error in
                logger.warning(
                    "other processes may not know the networks of today’s finders", metadata: ["error": "\(error)"])
            }
            challenges = PasskeyChallenges(rememberedIn: store.challengeMemory)
            follow = { await store.follow(logger, looked: $0) }
        }
    }
}

/// Closes the store when all services that use it have ended; if they are all cancelled, immediately.
struct ClosingService: Service, CustomStringConvertible {
    let store: any RegistryStore

    var description: String { "database" }

    func run() async {
        try? await gracefulShutdown()
        await store.close()
    }
}

/// Acts on the changes of other processes until the registry stops.
struct ForeignChangesService: Service, CustomStringConvertible {
    let follow: @Sendable (_ looked: @escaping @Sendable () async -> Void) async -> Void
    let looked: @Sendable () async -> Void

    var description: String { "changes of other processes" }

    func run() async throws { await cancelWhenGracefulShutdown { await follow(looked) } }
}
