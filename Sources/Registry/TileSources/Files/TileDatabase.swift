import Foundation
import GRDBSQLite
import MapTiles
import Syntax

/// Reads an SQLite database from an untrusted source, which may be meant to do harm: without writing, without locks,
/// without functions in its views, with bounded values, and with a bounded number of steps for each query.
///
/// Not Sendable: SQLite is used without its own locks.
final class TileDatabase {
    private let path: String
    private let connection: OpaquePointer
    /// The prepared ``query``.
    private let lookUp: OpaquePointer
    /// The steps that the current query has left, in thousands; SQLite has a pointer to it.
    private let steps: UnsafeMutablePointer<Int>

    private static let query =
        "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1"
    /// The thousands of steps of SQLite's virtual machine after which a query is stopped: a look-up takes less than a
    /// hundred steps.
    private static let mostSteps = 1000
    /// The steps after which SQLite calls back, which count as one.
    private static let stepsPerCall: Int32 = 1000
    /// Rows of the metadata that are read.
    private static let mostMetadata = 200

    /// - Throws: `unreadable`, `unfinished`.
    init(path: String) throws(MBTilesError) {
        self.path = path
        guard access(path, R_OK) == 0 else {
            throw .unreadable(path: path, message: String(cString: strerror(errno)))
        }
        if let beside = Self.unfinishedChanges(beside: path) { throw .unfinished(path: path, beside: beside) }
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        let name = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
        var connection: OpaquePointer?
        // https://sqlite.org/uri.html#uriimmutable
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2("file:\(name)?immutable=1", &connection, flags, nil)
        guard code == SQLITE_OK, let connection else {
            defer { sqlite3_close(connection) }
            throw .unreadable(path: path, message: Self.message(connection))
        }
        let steps = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        steps.initialize(to: Self.mostSteps)
        Self.setLimits(of: connection, steps)
        var lookUp: OpaquePointer?
        guard sqlite3_prepare_v2(connection, Self.query, -1, &lookUp, nil) == SQLITE_OK, let lookUp else {
            defer {
                sqlite3_close(connection)
                steps.deallocate()
            }
            throw .unreadable(path: path, message: Self.message(connection))
        }
        self.connection = connection
        self.steps = steps
        self.lookUp = lookUp
    }

    deinit {
        sqlite3_finalize(lookUp)
        sqlite3_close(connection)
        steps.deallocate()
    }

    /// The image of a tile; nil if there is none.
    func image(at tile: TileCoordinates) throws(MBTilesError) -> [UInt8]? {
        defer { sqlite3_reset(lookUp) }
        steps.pointee = Self.mostSteps
        for (index, value) in [tile.zoom, tile.column, tile.rowFromSouth].enumerated() {
            sqlite3_bind_int64(lookUp, Int32(index + 1), Int64(value))
        }
        switch sqlite3_step(lookUp) {
        case SQLITE_ROW:
            guard let start = sqlite3_column_blob(lookUp, 0) else { return nil }
            return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(lookUp, 0))))
        case SQLITE_DONE: return nil
        default: throw failure
        }
    }

    /// The first bytes of some tiles: of those that are not longer than a tile can be.
    func samples() throws(MBTilesError) -> [[UInt8]] {
        var samples: [[UInt8]] = []
        let sql = "SELECT substr(tile_data, 1, 12) FROM tiles WHERE length(tile_data) <= \(Tile.maximumSize) LIMIT 10"
        try forEachRow(of: sql) {
            guard let start = sqlite3_column_blob($0, 0) else { return }
            samples.append(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes($0, 0)))))
        }
        return samples
    }

    /// The names and values of the table `metadata`.
    func metadata() throws(MBTilesError) -> [String: String] {
        var values: [String: String] = [:]
        try forEachRow(of: "SELECT name, value FROM metadata LIMIT \(Self.mostMetadata)") { statement in
            if let name = sqlite3_column_text(statement, 0), let value = sqlite3_column_text(statement, 1) {
                values[String(cString: name)] = String(cString: value)
            }
        }
        return values
    }

    /// Whether a tile is found without reading a whole table.
    func hasIndex() throws(MBTilesError) -> Bool {
        var scans = false
        try forEachRow(of: "EXPLAIN QUERY PLAN " + Self.query) { statement in
            if let step = sqlite3_column_text(statement, 3), String(cString: step).begins(with: "SCAN") { scans = true }
        }
        return !scans
    }

    /// Runs a query, and reads each of its rows.
    private func forEachRow(of sql: String, _ read: (OpaquePointer) -> Void) throws(MBTilesError) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        steps.pointee = Self.mostSteps
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: read(statement)
            case SQLITE_DONE: return
            default: throw failure
            }
        }
    }

    /// The file beside a database with changes that are not in it; nil if there is none. This connection ignores it, so
    /// that tiles would be missing, or pages damaged.
    private static func unfinishedChanges(beside path: String) -> String? {
        // Behind the header of a log are changes (https://sqlite.org/fileformat2.html#walformat).
        let (log, journal) = (path + "-wal", path + "-journal")
        if size(of: log) > logHeaderSize { return log }
        // The header of a journal that is finished is zero (section 3 there).
        guard size(of: journal) > 0 else { return nil }
        let start = FileHandle(forReadingAtPath: journal).flatMap { try? $0.read(upToCount: 1) }
        return start?.first == 0 ? nil : journal
    }

    private static let logHeaderSize = 32

    /// The size of a file in bytes; 0 if there is none.
    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Sets what SQLite advises for databases of unknown origin (https://sqlite.org/security.html), and counts the
    /// steps.
    private static func setLimits(of connection: OpaquePointer, _ steps: UnsafeMutablePointer<Int>) {
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(2 * Tile.maximumSize))
        sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_limit(connection, SQLITE_LIMIT_TRIGGER_DEPTH, 1)
        sqlite3_limit(connection, SQLITE_LIMIT_COMPOUND_SELECT, 5)
        for pragma in ["trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "query_only = ON"] {
            sqlite3_exec(connection, "PRAGMA \(pragma)", nil, nil, nil)
        }
        // “If the progress callback returns non-zero, the operation is interrupted”
        // (https://sqlite.org/c3ref/progress_handler.html).
        let count: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
            guard let steps = context?.assumingMemoryBound(to: Int.self) else { return 1 }
            steps.pointee -= 1
            return steps.pointee < 0 ? 1 : 0
        }
        sqlite3_progress_handler(connection, stepsPerCall, count, steps)
    }

    private var failure: MBTilesError { .unreadable(path: path, message: Self.message(connection)) }

    private static func message(_ connection: OpaquePointer?) -> String {
        sqlite3_errmsg(connection).map { String(cString: $0) } ?? "SQLite gives no reason"
    }
}
