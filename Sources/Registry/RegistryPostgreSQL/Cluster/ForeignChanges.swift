import Foundation
package import Logging
import MissingList
import OperatingSystem
import PostgreSQL
import RegistryAPI
import RegistryRules
import RegistrySQL

extension PostgreSQLRegistryStore {
    /// The channel on which processes notify each other of changes.
    private static let changesChannel = "findmybike_changed"
    /// The shortest time between two notifications of this process.
    private static let gathering = Duration.milliseconds(20)
    /// How often this process looks without a notification, which can be lost with its connection.
    private static let silence = Duration.seconds(1)

    /// Notifies other processes of this one's changes, and gives the store's signals for theirs, until the task is
    /// cancelled.
    ///
    /// - Parameter looked: called after each look at the changes of others.
    package func follow(_ logger: Logger, looked: @escaping @Sendable () async -> Void = {}) async {
        // Wakes the task that looks for changes, and the one that writes the journals.
        let (heard, noted) = (WakeUp(), WakeUp())
        // The name of this process in its notifications.
        let own = "\(UUID())"
        let listener = listen(to: [Self.changesChannel]) { event in
            if case .notification(_, let payload) = event, payload == own { return }
            heard.wake()
            noted.wake()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.announce(as: own, logger) }
            group.addTask { await self.actOnChanges(heard, logger, looked) }
            // In a separate task, since a journal waits for its disk.
            group.addTask { await self.keepJournals(noted, logger) }
        }
        await listener.stop()
    }

    /// Notifies the other processes after each committed group of this one.
    private func announce(as own: String, _ logger: Logger) async {
        while !Task.isCancelled {
            await writer.committed.wait()
            guard !Task.isCancelled else { return }
            do {
                try await notify(Self.changesChannel, own)
            } catch {
                // The others look every second.
                logger.debug("changes not announced", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: Self.gathering)
        }
    }

    /// Looks for changes of the list and of followed reports after each notification.
    private func actOnChanges(
        _ heard: WakeUp, _ logger: Logger, _ looked: @escaping @Sendable () async -> Void
    ) async {
        var seen = SeenState()
        await repeatedly(heard, logger, "changes of other processes not seen") {
            try await actOnChanges(&seen)
            await looked()
        }
    }

    /// Adds the erasures and revocations of other processes to the journals of this one.
    private func keepJournals(_ noted: WakeUp, _ logger: Logger) async {
        let failure: Logger.Message =
            "erasures and revocations are not noted in the journals, which a restored backup needs"
        await repeatedly(noted, logger, failure) { try await recordInJournals() }
    }

    /// Takes a step after each wake-up and after each silence, until the task is cancelled.
    ///
    /// - Parameter message: logged when a step fails after one that did not.
    private func repeatedly(
        _ wakeUp: WakeUp, _ logger: Logger, _ message: Logger.Message, _ step: () async throws -> Void
    ) async {
        var failure: String?
        while !Task.isCancelled {
            do {
                try await step()
                failure = nil
            } catch {
                if failure == nil, !Task.isCancelled { logger.error(message, metadata: ["error": "\(error)"]) }
                failure = "\(error)"
            }
            await wakeUp.wait(atMost: Self.silence)
        }
    }

    /// What this process has seen of the database.
    private struct SeenState {
        var list: ListVersion?
        var revisions: [ReportID: Int64] = [:]
    }

    /// Looks once, and gives the signals for what has changed since the last look.
    private func actOnChanges(_ seen: inout SeenState) async throws {
        let followed = signals.trails.followed
        let (list, revisions) = try await read { db in
            (try MissingListJournal(db).version(), try Sightings(db).lastRevisions(of: followed))
        }
        if list != seen.list { signals.missingList.wake() }
        let changed = revisions.filter { seen.revisions[$0.key] != $0.value }
        seen = SeenState(list: list, revisions: revisions)
        if !changed.isEmpty { signals.trails.wake(Set(changed.keys)) }
        signals.wakeServices()
    }
}
