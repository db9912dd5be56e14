import Evidence
import Foundation
import Registry
import RegistryAPI
import RegistrySQL
import Synchronization

/// What no longer opens anything, in a file beside the database: tokens that were revoked and codes that were used or
/// replaced, by digest. A backup that is older than a revocation does not know of it.
///
/// Triggers fill the table `revocation` (``Schema/revocations``), whatever verb makes the change. The file only grows; each
/// line holds a time and a digest, and is on disk before the revocation is answered.
final class RevocationJournal: Sendable {
    typealias Entry = Revocations.Entry

    private struct State {
        /// Whether the group under way has revoked anything.
        var isTouched = false
        /// Counts the groups that have; and those of them that the file was brought up to date after.
        var groups = 0
        var recordedGroups = 0
    }

    private let file: JournalFile
    private let state = Mutex(State())
    /// The newest row of the database’s revocations that the file holds.
    private let recorded = Mutex<Int64>(0)

    init(path: String) { file = JournalFile(path: path) }

    /// All whole lines; a line that a crash cut short was never answered.
    func entries() throws -> [Entry] {
        try file.lines().compactMap { words in
            guard words.count == 2, let time = Timestamp(words[0]),
                let digest = Hexadecimal.bytes(words[1]).flatMap(SecretDigest.init(bytes:))
            else { return nil }
            return Entry(time: time, digest: digest)
        }
    }

    /// Whether a group was committed of which the file knows nothing yet.
    var isBehind: Bool { state.withLock { $0.recordedGroups < $0.groups } }

    /// Notes that the group under way has revoked something.
    func touch() { state.withLock { $0.isTouched = true } }

    /// Notes that the group under way has ended.
    func endGroup() {
        state.withLock { state in
            guard state.isTouched else { return }
            state.isTouched = false
            state.groups += 1
        }
    }

    /// Appends what the database holds beyond the row that was recorded last; it is on disk when this returns.
    ///
    /// - Parameter rows: the entries after a row, and the newest row.
    func record(_ rows: (Int64) throws -> (entries: [Entry], newest: Int64)) throws {
        try recorded.withLock { recorded in
            let groups = state.withLock(\.groups)
            // A file that cannot be written fails the revocation, not every change after it; the next one records both.
            defer { state.withLock { $0.recordedGroups = max($0.recordedGroups, groups) } }
            let (entries, newest) = try rows(recorded)
            try file.append(entries.map { "\($0.time) \(Hexadecimal.text($0.digest.bytes))" })
            recorded = newest
        }
    }
}
