import Foundation
import Registry
import RegistryAPI
import RegistrySQL
import Synchronization

/// The erasures of a database, in a file beside it: what a restored backup must erase again.
///
/// The file only grows. Each line holds a time, `owner` or `bike`, and the identifier; nothing else about anyone. It is
/// on disk before an erasure is answered, and lives and is copied apart from the database: a backup that is older than
/// an erasure does not know of it.
final class ErasureJournal: Sendable {
    typealias Entry = Erasures.Entry

    private let file: JournalFile
    /// The newest row of the database’s erasures that the file holds.
    private let recorded = Mutex<Int64>(0)

    init(path: String) { file = JournalFile(path: path) }

    /// All whole lines; a line that a crash cut short was never answered.
    func entries() throws -> [Entry] {
        try file.lines().compactMap { words in
            guard words.count == 3, let time = Timestamp(words[0]),
                let erasure = Erasure(kind: words[1], id: words[2])
            else { return nil }
            return Entry(time: time, erasure: erasure)
        }
    }

    /// Appends what the database holds beyond the row that was recorded last; it is on disk when this returns.
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
