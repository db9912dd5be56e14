import Files
import Foundation
import Registry

/// An append-only file next to the database, readable only by its user. It contains changes that a restored backup must
/// not undo.
struct JournalFile: Sendable {
    let path: String

    /// The words of all lines; the caller ignores a line cut short by a crash.
    func lines() throws -> [[String]] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// Appends lines; they are on disk when this returns.
    func append(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        // Start each entry on a new line, even after a line cut short by a crash.
        let text = lines.map { "\n" + $0 }.joined() + "\n"
        do {
            try DurableFile.append(Array(text.utf8), to: path)
        } catch {
            throw DomainError.storageUnavailable(error.description)
        }
    }
}
