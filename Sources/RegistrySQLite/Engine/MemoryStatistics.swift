import CSQLite

/// SQLite's count of the memory that it takes: a lock for each allocation, a tenth of the time of a sighting.
enum MemoryStatistics {
    /// Off, unless something in this process has used SQLite before; then everything works as well, and slower.
    static let off: Void = { _ = findmybike_sqlite_without_memory_statistics() }()
}
