import Foundation
public import Photos
package import PostgreSQL
public import RegistryAPI
public import RegistryRules
import RegistrySQL

/// The pictures of photos in a table, so that every process of a registry can serve them.
public struct PostgreSQLPhotoStore: PhotoStore {
    private let reading: ConnectionPool
    /// A pool with a short deadline: while the standby is away, a change waits until then.
    private let writing: ConnectionPool

    /// - Parameters:
    ///   - reading: for pictures, which take long to send.
    ///   - writing: for changes.
    package init(reading: ConnectionPool, writing: ConnectionPool) {
        self.reading = reading
        self.writing = writing
    }

    public func put(_ photo: ConvertedPhoto, as name: PhotoName) async throws {
        try await use(writing) {
            try $0.run(
                """
                INSERT INTO picture (name, large, small) VALUES ($1, $2, $3)
                ON CONFLICT (name) DO UPDATE SET large = excluded.large, small = excluded.small
                """, [.bytes(Array(name.blob)), .bytes(photo.large), .bytes(photo.small)])
        }
    }

    public func length(of name: PhotoName, _ size: PhotoSize) async throws -> Int? {
        let sql = "SELECT octet_length(\(size.rawValue)) FROM picture WHERE name = $1"
        return try await use(reading) { try $0.integer(sql, [.bytes(Array(name.blob))]).map { Int(clamping: $0) } }
    }

    public func bytes(
        of name: PhotoName, _ size: PhotoSize, from offset: Int, atMost count: Int
    ) async throws -> [UInt8] {
        // The first byte has the number 1 (PostgreSQL's documentation, section 9.5).
        let sql = "SELECT substr(\(size.rawValue), $2::int, $3::int) FROM picture WHERE name = $1"
        let first = Int64(max(0, offset)) + 1
        return try await use(reading) { connection in
            var bytes: [UInt8] = []
            try connection.visit(
                sql, [.bytes(Array(name.blob)), .integer(first), .integer(Int64(max(0, count)))]
            ) { row in
                bytes = Array(row.blob(0))
                return false
            }
            return bytes
        }
    }

    public func remove(_ names: [PhotoName]) async throws {
        let names = names.map { Array($0.blob) }
        try await use(writing) { try $0.run("DELETE FROM picture WHERE name = ANY($1)", [.blobs(names)]) }
    }

    public func eachNames(atMost count: Int, _ body: ([PhotoName]) async throws -> Void) async throws {
        var last: [UInt8] = []
        while true {
            let names = try await use(reading) { [last] connection in
                var names: [PhotoName] = []
                // Pictures are stored before their photo's row, which another process may be about to add.
                let sql = """
                    SELECT name FROM picture WHERE name > $1 AND stored < clock_timestamp() - interval '1 hour'
                    ORDER BY name LIMIT $2
                    """
                try connection.visit(sql, [.bytes(last), .integer(Int64(max(1, count)))]) { row in
                    if let name = PhotoName(blob: Data(row.blob(0))) { names.append(name) }
                    return true
                }
                return names
            }
            guard let newest = names.last else { return }
            try await body(names)
            last = Array(newest.blob)
        }
    }

    @discardableResult
    private func use<Result: Sendable>(
        _ pool: ConnectionPool, _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await StoreErrors.translating { try await pool.use(body) }
    }
}
