package import Evidence
import PostgreSQL
package import RegistryRules
import RegistrySQL

// Data that the only process with SQLite keeps in files and in memory.
extension PostgreSQLRegistryStore {
    /// The pictures of photos.
    package var pictures: any PhotoStore { PostgreSQLPhotoStore(reading: pools.sharing, writing: pools.reading) }

    /// The challenges of passkeys.
    package var challengeMemory: any ChallengeMemory { PostgreSQLChallengeMemory(pool: pools.reading) }

    /// The keys of the pseudonyms of finds’ senders.
    ///
    /// - Parameter note: called if the database does not respond.
    package func findSenders(note: @escaping @Sendable (any Error) -> Void) -> FindSenders.Place {
        .table(in: pools.reading, note: note)
    }

    /// Repeats what the journals contain and the database does not know, and adds what they do not contain. Call this
    /// before the registry answers requests.
    package func openJournals() async throws -> ReplayedEntries {
        guard let journals else { return ReplayedEntries() }
        let replayed = try await replay(journals)
        try await recordUnknown(in: journals)
        return replayed
    }

    /// Repeats what a journal contains and the database does not know.
    ///
    /// - Parameter path: the beginning of the names of its files.
    package func replayJournal(at path: String) async throws -> ReplayedEntries {
        try await replay(Journals(path: path))
    }

    /// Forgets the keys of the day and the challenges, which a backup that was made by pg_dump contains.
    package func forgetSharedSecrets() async throws {
        try await StoreErrors.translating {
            try await pools.sharing.use { connection in
                for table in ["day_secret", "challenge_key", "used_challenge"] {
                    try connection.run("DELETE FROM \(table)")
                }
            }
        }
    }

    /// Adds what was erased and revoked since the last call, if this process keeps journals.
    func recordInJournals() async throws {
        if let journals { try await record(in: journals) }
    }

    /// Verifies the audit.
    ///
    /// - Parameter keys: the public keys, one of which must have signed each stored checkpoint; nil if no key is known.
    /// - Throws: ``ChainWalk/Fault``.
    package func verifyAudit(
        _ range: ClosedRange<Int64>? = nil, against checkpoints: [Checkpoint] = [], keys: [PublicKey]? = nil
    ) async throws -> AuditVerification {
        try await readAtLength(.inParts) { try AuditVerifier($0).verify(range, against: checkpoints, keys: keys) }
    }

    /// Listens to notifications of other processes, until the listener is stopped.
    func listen(
        to channels: [String], _ handler: @escaping @Sendable (Listener.Event) -> Void
    ) -> Listener {
        Listener(server.connection, channels: channels, timelines: pools.timelines, handler)
    }

    /// Notifies all processes that listen to a channel, this one included.
    func notify(_ channel: String, _ payload: String) async throws {
        try await pools.reading.use { _ = try $0.run("SELECT pg_notify($1, $2)", [.text(channel), .text(payload)]) }
    }
}
