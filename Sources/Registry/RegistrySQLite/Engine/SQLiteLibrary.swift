import CSQLite

/// SQLite's settings for the whole process.
public enum SQLiteLibrary {
    /// Makes the settings. Call it before anything in the process uses SQLite.
    ///
    /// - Returns: false if something has used it before; then everything still works, but slower.
    @discardableResult
    public static func configure() -> Bool { isConfigured }

    // Memory statistics take a lock for each allocation, and a tenth of the time of a sighting.
    private static let isConfigured = findmybike_sqlite_without_memory_statistics() == SQLITE_OK
}
