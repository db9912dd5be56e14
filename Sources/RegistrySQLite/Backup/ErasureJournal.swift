import Foundation
import Registry
import RegistryAPI
import RegistrySQL
import Synchronization

/// The erasures of a database, in a file next to it, which must be repeated after a backup is restored.
///
/// The file is append-only. Each line contains a time, `owner` or `bike`, and the identifier, and no other personal
/// data. The line is on disk before the response to an erasure is sent. The file is kept and copied apart from the
/// database, since a backup from before an erasure does not contain it.
final class ErasureJournal: Sendable {
    typealias Entry = Erasures.Entry

    private let file: JournalFile
    /// The newest row of the database's erasures that the file contains.
    private let recorded = Mutex<Int64>(0)

    init(path: String) { file = JournalFile(path: path) }

    /// All complete entries. A line cut short by a crash belongs to an erasure that was never confirmed.
    func entries() throws -> [Entry] {
        try file.lines().compactMap { words in
            guard words.count == 3, let time = Timestamp(words[0]),
                let erasure = Erasure(kind: words[1], id: words[2])
            else { return nil }
            return Entry(time: time, erasure: erasure)
        }
    }

    /// Appends the entries after the row that was recorded last; they are on disk when this returns.
    ///
    /// - Parameter rows: the entries after a row, and the newest row.
    func record(_ rows: (Int64) throws -> (entries: [Entry], newest: Int64)) throws {
        try recorded.withLock { recorded in
            let (entries, newest) = try rows(recorded)
            try file.append(entries.map { "\($0.time) \($0.erasure.kind) \($0.erasure.id)" })
            recorded = newest
        }
    }
}
