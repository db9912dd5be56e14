import CSQLite

/// SQLite's settings for the whole process.
enum SQLiteLibrary {
    /// Applies the settings, unless something in this process has already used SQLite; then everything still works, but
    /// slower.
    static let configured: Void = {
        // They take a lock for each allocation, and a tenth of the time of a sighting.
        _ = findmybike_sqlite_without_memory_statistics()
        // A statement that writes several rows first copies each page that it changes, in case it fails. A group of 32
        // visits copies 75 pages of 4 kB; in a file, these were more than half of all writes.
        _ = findmybike_sqlite_keeping_statement_journals(1 << 20)
    }()
}
