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
        // A statement that changes several rows first copies each page that it changes, in case it fails. In a file, these
        // copies were more than half of all writes: 73 pages of 4 kB for a group of 36 visits. So no statement may change a
        // number of rows that strangers determine and nothing limits.
        let inMemory = findmybike_sqlite_statement_journals_in_memory()
        return withoutStatistics == SQLITE_OK && inMemory == SQLITE_OK
    }()
}
