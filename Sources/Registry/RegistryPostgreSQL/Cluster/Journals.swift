import RegistryAPI
import RegistryRules
import RegistrySQL
import Synchronization

/// The journals of this process: the erasures and revocations by this process and others, in files of this machine. To
/// restore a backup of the database, the journals of all processes are needed.
struct Journals: Sendable {
    let erasures: Journal<Erasures.Entry>
    let revocations: Journal<Revocations.Entry>
    let watch = JournalWatch()

    /// - Parameter path: the beginning of the files’ names.
    init(path: String) {
        erasures = Journal(path: path + ".erasures")
        revocations = Journal(path: path + ".revocations")
    }
}

/// Detects which changes erased or revoked something, so that the journals have it before a response is sent.
final class JournalWatch: Sendable {
    /// The keys of the newest erasure and revocation.
    private struct Newest {
        var erasure: Int64 = 0
        var revocation: Int64 = 0
    }

    private let seen = Mutex(Newest())

    /// Whether a transaction has erased and revoked nothing since the last call. If a journal cannot be written, only
    /// the change that needs it fails, and not every later one.
    func knowsAll(of db: PostgreSQLTransaction) throws -> Bool {
        let sql = """
            SELECT (SELECT max(key) FROM erasure) AS erasure, (SELECT max(key) FROM revocation) AS revocation
            """
        guard let row = try db.row(sql, []) else { return true }
        let newest = Newest(
            erasure: try row["erasure"] as Int64? ?? 0, revocation: try row["revocation"] as Int64? ?? 0)
        return seen.withLock { seen in
            // Keys of a change that was rolled back are not given again.
            let isKnown = newest.erasure <= seen.erasure && newest.revocation <= seen.revocation
            seen.erasure = max(seen.erasure, newest.erasure)
            seen.revocation = max(seen.revocation, newest.revocation)
            return isKnown
        }
    }
}

/// How many entries of journals were repeated.
package struct ReplayedEntries: Hashable, Sendable {
    package var erasures = 0
    package var revocations = 0
    /// Lines of the journals that are not entries.
    package var unreadable = 0

    package init() {}
}

extension PostgreSQLRegistryStore {
    /// The number of entries that one transaction repeats.
    private static let batch = 50

    /// Repeats the erasures and revocations of journals that the database does not know, because it was restored from
    /// an earlier backup. Those that it knows are not repeated.
    func replay(_ journals: Journals) async throws -> ReplayedEntries {
        var replayed = ReplayedEntries()
        let (erasures, damagedErasures) = try journals.erasures.read()
        let (revocations, damagedRevocations) = try journals.revocations.read()
        replayed.unreadable = damagedErasures + damagedRevocations
        let now = WallClock.system.now
        let erased = try await readApart { Set(try Erasures($0).entries(after: 0).entries.map(\.erasure)) }
        for batch in erasures.filter({ !erased.contains($0.erasure) }).batches(of: Self.batch) {
            // A journal may come from a machine whose clock was ahead.
            let batch = batch.map { Erasures.Entry(time: min($0.time, now), erasure: $0.erasure) }
            replayed.erasures += try await writeUnnoted { try Erasures($0).replay(batch) }
        }
        let revoked = try await readApart { Set(try Revocations($0).entries(after: 0).entries.map(\.digest)) }
        for batch in revocations.filter({ !revoked.contains($0.digest) }).batches(of: Self.batch) {
            replayed.revocations += try await writeUnnoted { db in
                let before = try Revocations(db).newest()
                for entry in batch {
                    try Revocations(db).revoke(Revocations.Entry(time: min(entry.time, now), digest: entry.digest))
                }
                return try Revocations(db).entries(after: before).entries.count
            }
        }
        return replayed
    }

    /// Adds what was erased and revoked since the last call.
    func record(in journals: Journals) async throws {
        try await readApart { db in
            // If one journal cannot be written, the other must still be.
            let results = [
                Result { try journals.erasures.record(Erasures(db).entries) },
                Result { try journals.revocations.record(Revocations(db).entries) },
            ]
            for result in results { try result.get() }
        }
    }

    /// Adds what was erased and revoked while this process was not running.
    func recordUnknown(in journals: Journals) async throws {
        let (erasures, revocations) = (try journals.erasures.entries(), try journals.revocations.entries())
        try await readApart { db in
            try journals.erasures.recordUnknown(besides: erasures, Erasures(db).entries)
            try journals.revocations.recordUnknown(besides: revocations, Revocations(db).entries)
        }
    }
}

extension Array {
    fileprivate func batches(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
