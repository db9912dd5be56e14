import Evidence
import Foundation
import Registry
import RegistryAPI
import RegistrySQL
import Synchronization

/// Revoked tokens, and codes that were used or replaced, by digest, in a file next to the database. A backup from
/// before a revocation does not contain it.
///
/// Triggers fill the table `revocation` (``Schema/revocations``), whichever operation makes the change. The file is
/// append-only. Each line contains a time and a digest, and is on disk before the response to the revocation is sent.
final class RevocationJournal: Sendable {
    typealias Entry = Revocations.Entry

    private struct State {
        /// Whether the current group has revoked anything.
        var isTouched = false
        /// The number of groups with revocations, and how many of them the file includes.
        var groups = 0
        var recordedGroups = 0
    }

    private let file: JournalFile
    private let state = Mutex(State())
    /// The newest row of the database's revocations that the file contains.
    private let recorded = Mutex<Int64>(0)

    init(path: String) { file = JournalFile(path: path) }

    /// All complete entries. A line cut short by a crash belongs to a revocation that was never confirmed.
    func entries() throws -> [Entry] {
        try file.lines().compactMap { words in
            guard words.count == 2, let time = Timestamp(words[0]),
                let digest = Hexadecimal.bytes(words[1]).flatMap(SecretDigest.init(bytes:))
            else { return nil }
            return Entry(time: time, digest: digest)
        }
    }

    /// Whether a group was committed whose revocations are not in the file yet.
    var isBehind: Bool { state.withLock { $0.recordedGroups < $0.groups } }

    /// Notes that the current group has revoked something.
    func touch() { state.withLock { $0.isTouched = true } }

    /// Notes that the current group has ended.
    func endGroup() {
        state.withLock { state in
            guard state.isTouched else { return }
            state.isTouched = false
            state.groups += 1
        }
    }

    /// Appends the entries after the row that was recorded last; they are on disk when this returns.
    ///
    /// - Parameter rows: the entries after a row, and the newest row.
    func record(_ rows: (Int64) throws -> (entries: [Entry], newest: Int64)) throws {
        try recorded.withLock { recorded in
            let groups = state.withLock(\.groups)
            // If the file cannot be written, only this revocation fails, not every change after it. The next one
            // records both.
            defer { state.withLock { $0.recordedGroups = max($0.recordedGroups, groups) } }
            let (entries, newest) = try rows(recorded)
            try file.append(entries.map { "\($0.time) \(Hexadecimal.text($0.digest.bytes))" })
            recorded = newest
        }
    }
}
