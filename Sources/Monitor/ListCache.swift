import Foundation
import RegistryAPI

/// The missing list on disk, so that a station that starts without a network still knows what to look for.
struct ListCache: Sendable {
    struct Entry: Codable, Sendable {
        var entityTag: String?
        var document: MissingListDocument
    }

    let path: String

    /// The list as last written; nil where there is none or it is damaged, which the next fetch repairs.
    func read() -> Entry? {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
        return try? JSONDecoder().decode(Entry.self, from: data)
    }

    /// Replaces the file as a whole: a reader sees the old list or the new one.
    func write(_ entry: Entry) throws {
        try JSONEncoder().encode(entry).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
