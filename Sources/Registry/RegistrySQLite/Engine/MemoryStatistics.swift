import CSQLite

/// SQLite's memory statistics, which take a lock for each allocation and a tenth of the time of a sighting.
enum MemoryStatistics {
    /// Turns the statistics off, unless something in this process has already used SQLite; then everything still works,
    /// but slower.
    static let off: Void = { _ = findmybike_sqlite_without_memory_statistics() }()
}
