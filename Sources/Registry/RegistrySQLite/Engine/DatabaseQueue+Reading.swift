import GRDB

extension DatabaseQueue {
    /// Reads a database that a registry may be serving, without a lock that the registry would wait for.
    ///
    /// If the registry has closed the database meanwhile, this connection is the last one, and SQLite leaves its log to
    /// it: then the log is merged into the file, which is otherwise not complete without it.
    static func reading<Result>(_ path: String, _ body: (DatabaseQueue) throws -> Result) throws -> Result {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer {
            try? queue.close()
            mergeLog(of: path)
        }
        return try body(queue)
    }

    /// Merges and deletes the log of a database that nobody else has open, as far as this user may write it.
    private static func mergeLog(of path: String) {
        guard FilePlace.size(of: FilePlace.resolved(path) + "-wal") ?? 0 > 0, let queue = try? DatabaseQueue(path: path)
        else { return }
        // SQLite opens the log for the first statement, and merges it for the last connection that is closed.
        _ = try? queue.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
        try? queue.close()
    }
}
