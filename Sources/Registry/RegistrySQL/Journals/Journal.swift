import Evidence
import Foundation
import OperatingSystem
import RegistryAPI
package import RegistryRules
import Synchronization
import Syntax

/// Changes of a database that must be repeated after a backup is restored, because an older backup does not contain
/// them. They are in an append-only file apart from the database, which only its user can read.
///
/// Keep and copy the file apart from the database’s backups.
package final class Journal<Entry: JournalEntry>: Sendable {
    package let path: String
    /// The newest row of the database that the file contains.
    private let recorded = Mutex<Int64>(0)

    package init(path: String) { self.path = path }

    /// All complete entries. A line cut short by a crash belongs to a change that was never confirmed.
    package func entries() throws -> [Entry] { try read().entries }

    /// All complete entries, and the number of other lines. Crashes leave few of these, a damaged file many.
    package func read() throws -> (entries: [Entry], unreadable: Int) {
        guard exists else { return ([], 0) }
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        // A file that was copied through another system may have other line endings.
        let lines = text.split(whereSeparator: \.isNewline)
        let entries = lines.compactMap { Entry(words: $0.split(at: " ").map(String.init)) }
        return (entries, lines.count - entries.count)
    }

    /// Whether there is a file; there is none before the first entry.
    package var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Appends the entries after the row that was recorded last; they are on disk when this returns.
    ///
    /// - Parameter rows: reads the entries after the row with a key, and the key of the newest row.
    package func record(_ rows: (Int64) throws -> (entries: [Entry], newest: Int64)) throws {
        try recorded.withLock { recorded in
            let (entries, newest) = try rows(recorded)
            try append(entries)
            recorded = newest
        }
    }

    /// Appends all entries of a database that the file does not contain. A crash may have occurred between a change and
    /// its entry in the file.
    ///
    /// - Parameters:
    ///   - known: the entries of the file.
    ///   - rows: reads the entries after the row with a key, and the key of the newest row.
    package func recordUnknown(
        besides known: [Entry], _ rows: (Int64) throws -> (entries: [Entry], newest: Int64)
    ) throws {
        let known = Set(known.map(\.subject))
        try record { _ in
            let (all, newest) = try rows(0)
            return (all.filter { !known.contains($0.subject) }, newest)
        }
    }

    private func append(_ entries: [Entry]) throws {
        guard !entries.isEmpty else { return }
        // Start each entry on a new line, even after a line cut short by a crash.
        let text = entries.map { "\n" + $0.line }.joined() + "\n"
        do {
            try DurableFile.append(Array(text.utf8), to: path)
        } catch {
            throw DomainError.storageUnavailable(error.description)
        }
    }
}

/// A change as a line of text, without personal data.
package protocol JournalEntry: Sendable {
    associatedtype Subject: Hashable

    /// The subject that the change ended: a further entry for the same subject has no effect.
    var subject: Subject { get }

    /// The line in the file, without its end.
    var line: String { get }

    /// Reads the words of a line, which spaces separate; nil if it is damaged.
    init?(words: [String])
}

/// A time, `owner` or `bike`, and the identifier.
extension Erasures.Entry: JournalEntry {
    package var subject: Erasure { erasure }
    package var line: String { "\(time) \(erasure.kind) \(erasure.id)" }

    package init?(words: [String]) {
        guard words.count == 3, let time = Timestamp(words[0]), let erasure = Erasure(kind: words[1], id: words[2])
        else { return nil }
        self.init(time: time, erasure: erasure)
    }
}

/// A time and a digest.
extension Revocations.Entry: JournalEntry {
    package var subject: SecretDigest { digest }
    package var line: String { "\(time) \(Hexadecimal.text(digest.bytes))" }

    package init?(words: [String]) {
        guard words.count == 2, let time = Timestamp(words[0]),
            let digest = Hexadecimal.bytes(words[1]).flatMap(SecretDigest.init(bytes:))
        else { return nil }
        self.init(time: time, digest: digest)
    }
}
