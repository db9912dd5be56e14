import Foundation
import Registry
import RegistryAPI
import Synchronization

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What was erased, by identifier alone.
enum Erasure: Hashable, Sendable {
    case owner(OwnerID)
    case bike(BikeID)

    var kind: String {
        switch self {
        case .owner: "owner"
        case .bike: "bike"
        }
    }

    var id: String {
        switch self {
        case .owner(let id): id.description
        case .bike(let id): id.description
        }
    }

    init?(kind: String, id: String) {
        switch kind {
        case "owner":
            guard let id = OwnerID(id) else { return nil }
            self = .owner(id)
        case "bike":
            guard let id = BikeID(id) else { return nil }
            self = .bike(id)
        default: return nil
        }
    }
}

/// The erasures of a database, in a file beside it: what a restored backup must erase again.
///
/// The file only grows. Each line holds a time, `owner` or `bike`, and the identifier; nothing else about anyone. It is
/// on disk before an erasure is answered, and lives and is copied apart from the database: a backup that is older than
/// an erasure does not know of it.
final class ErasureJournal: Sendable {
    struct Entry: Hashable, Sendable {
        var time: Timestamp
        var erasure: Erasure
    }

    let path: String
    /// The newest row of the database’s erasures that the file holds.
    private let recorded = Mutex<Int64>(0)

    init(path: String) { self.path = path }

    /// All whole lines; a line that a crash cut short was never answered.
    func entries() throws -> [Entry] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
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
            try append(entries)
            recorded = newest
        }
    }

    private func append(_ entries: [Entry]) throws {
        guard !entries.isEmpty else { return }
        let isNew = !FileManager.default.fileExists(atPath: path)
        let file = open(path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(path) }
        defer { close(file) }
        // An entry begins on a line of its own, also after one that a crash cut short.
        let lines = entries.map { "\n\($0.time) \($0.erasure.kind) \($0.erasure.id)" }.joined() + "\n"
        guard Self.writeAll(Array(lines.utf8), to: file), fsync(file) == 0 else { throw Self.failure(path) }
        if isNew { try Self.syncFolder(of: path) }
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// A new file is there after a loss of power only once its folder is on disk.
    private static func syncFolder(of path: String) throws {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(folder) }
    }

    private static func failure(_ path: String) -> DomainError {
        .storageUnavailable("\(path): \(String(cString: strerror(errno)))")
    }
}
