import Foundation
public import RegistryAPI
public import RegistrySQLite
import TestSupport

extension SQLiteRegistryStore {
    /// Opens a new database: a copy of one that is made once, since the migrations take longer than most tests.
    public convenience init(newAt path: String, quotas: Quotas = Quotas()) throws {
        let permissions: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: try template.get(), attributes: permissions)
        else { throw CocoaError(.fileWriteUnknown) }
        try self.init(path: path, quotas: quotas)
    }

    /// Opens a database, a new one if there is none. Threads of a store that the test has just left may hold it a moment
    /// longer.
    public static func opening(_ path: String) async throws -> SQLiteRegistryStore {
        guard FileManager.default.fileExists(atPath: path) else { return try SQLiteRegistryStore(newAt: path) }
        var store: SQLiteRegistryStore?
        try await eventually("no other store has \(path) open") {
            do throws(StoreOpenError) {
                store = try SQLiteRegistryStore(path: path)
                return true
            } catch .inUse {
                return false
            }
        }
        return try store ?? SQLiteRegistryStore(path: path)
    }
}

/// The contents of a database without rows.
private let template = Result {
    let folder = try TemporaryFolder()
    let (path, copy) = (folder.file("registry.sqlite"), folder.file("copy.sqlite"))
    let store = try SQLiteRegistryStore(path: path)
    try withExtendedLifetime(store) { _ = try RegistryBackup.backUp(path, to: copy) }
    return try Data(contentsOf: URL(fileURLWithPath: copy))
}
