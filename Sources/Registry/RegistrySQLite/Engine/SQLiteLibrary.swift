import CSQLite

/// SQLite's settings for the whole process.
public enum SQLiteLibrary {
    /// Makes the settings. Call it before anything in the process uses SQLite.
    ///
    /// - Returns: false if something has used it before; then everything still works, but slower.
    @discardableResult
    public static func configure() -> Bool { isConfigured }

    private static let isConfigured: Bool = {
        // They take a lock for each allocation, and a tenth of the time of a sighting.
        let withoutStatistics = findmybike_sqlite_without_memory_statistics()
        // A statement that writes several rows first copies each page that it changes, in case it fails. A group of 36
        // visits copies 73 pages of 4 kB; in a file, these were more than half of all writes.
        let keepingJournals = findmybike_sqlite_keeping_statement_journals(1 << 20)
        return withoutStatistics == SQLITE_OK && keepingJournals == SQLITE_OK
    }()
}
