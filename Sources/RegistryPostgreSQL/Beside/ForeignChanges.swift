import Concurrency
import Foundation
package import Logging
import MissingList
import PostgreSQL
package import RegistryAPI
import RegistrySQL

/// What this process does when another one on the same database has changed something.
package struct ForeignChanges: Sendable {
    /// Looks for new work: alerts, finds, judgements.
    let lookForWork: @Sendable () -> Void
    /// The reports whose sightings somebody follows here.
    let followed: @Sendable () -> Set<ReportID>
    /// Tells the followers that the sightings of these reports have changed.
    let tellFollowers: @Sendable (Set<ReportID>) -> Void
    /// Enters what only memory has into the tables again, if a failover has emptied them.
    let restore: @Sendable () async -> Void

    package init(
        lookForWork: @escaping @Sendable () -> Void, followed: @escaping @Sendable () -> Set<ReportID>,
        tellFollowers: @escaping @Sendable (Set<ReportID>) -> Void,
        restore: @escaping @Sendable () async -> Void = {}
    ) {
        self.lookForWork = lookForWork
        self.followed = followed
        self.tellFollowers = tellFollowers
        self.restore = restore
    }
}

extension PostgreSQLRegistryStore {
    /// The channel on which processes tell each other that they have changed something.
    private static let channel = "findmybike_changed"
    /// The shortest time between two notifications of this process.
    private static let gathering = Duration.milliseconds(20)
    /// How often this process looks without having heard anything: a notification can be lost with its connection.
    private static let silence = Duration.seconds(1)

    /// Tells other processes of changes, and acts on theirs, until the task is cancelled.
    package func follow(_ changes: ForeignChanges, _ logger: Logger) async {
        let (heard, noted) = (WakeUp(), WakeUp())
        let own = "\(UUID())"
        let listener = listen(to: [Self.channel]) { event in
            if case .notification(_, let payload) = event, payload == own { return }
            heard.wake()
            noted.wake()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.announce(as: own, logger) }
            group.addTask { await self.act(on: changes, heard, logger) }
            // Apart, since a journal waits for its disk.
            group.addTask { await self.keepJournals(noted, logger) }
        }
        await listener.stop()
    }

    private func announce(as own: String, _ logger: Logger) async {
        while !Task.isCancelled {
            await committed.wait()
            guard !Task.isCancelled else { return }
            do {
                try await notify(Self.channel, own)
            } catch {
                // The others look every second.
                logger.debug("changes not announced", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: Self.gathering)
        }
    }

    private func act(on changes: ForeignChanges, _ heard: WakeUp, _ logger: Logger) async {
        var seen = SeenState()
        await repeatedly(heard, logger, "changes of other processes not seen") {
            try await act(on: changes, &seen)
        }
    }

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

    private func act(on changes: ForeignChanges, _ seen: inout SeenState) async throws {
        let followed = changes.followed()
        let (list, revisions) = try await read { db in
            (try MissingListJournal(db).version(), try Sightings(db).lastRevisions(of: followed))
        }
        if list != seen.list { missingListSignal.wake() }
        let changed = revisions.filter { seen.revisions[$0.key] != $0.value }
        seen = SeenState(list: list, revisions: revisions)
        if !changed.isEmpty { changes.tellFollowers(Set(changed.keys)) }
        changes.lookForWork()
        await changes.restore()
    }
}
