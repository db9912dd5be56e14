import RegistrySQLite

extension SQLiteRegistryStore {
    /// Opens a database. Threads of a store that the test has just left may hold it a moment longer.
    static func opening(_ path: String) async throws -> SQLiteRegistryStore {
        for _ in 0..<3000 {
            do {
                return try SQLiteRegistryStore(path: path)
            } catch .inUse {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        return try SQLiteRegistryStore(path: path)
    }
}
