import CommandSupport
import Evidence
import RegistryAPI
import RegistryPostgreSQL
import RegistryRules
import RegistrySQL
import RegistrySQLite
import Settings
import Syntax

/// The location of the registry's data, from the setting `database`.
enum DatabasePlace {
    /// An SQLite file, which one process serves.
    case file(String)
    /// PostgreSQL, which any number of processes share.
    case server(PostgreSQLServer)

    /// - Throws: ``SettingsError``.
    init(_ settings: ProgramSettings) throws {
        let text = settings.value(RegistrySettings.database)
        guard Self.isAddress(text) else {
            // It may contain a password, so it is not shown.
            guard !text.begins(with: "postgresql:"), !text.begins(with: "postgres:"), !text.has("password=") else {
                throw SettingsError([
                    "database: this is neither a path nor an address: an address begins with postgresql://, and names a file "
                        + "with the password (passfile=FILE)"
                ])
            }
            guard !text.has("://") else {
                let scheme = text.part(beforeScalar: { $0 == ":" })
                throw SettingsError([
                    "database: ‘\(scheme)’ is not supported: write a path, or an address that begins with postgresql://"
                ])
            }
            self = .file(text)
            return
        }
        do {
            self = .server(
                try PostgreSQLServer(
                    url: text, durability: settings.value(RegistrySettings.durability),
                    journal: settings.value(RegistrySettings.journal)))
        } catch {
            throw SettingsError(["database: \(error)"])
        }
    }

    /// Whether the text is an address, and not a path.
    static func isAddress(_ text: String) -> Bool {
        ["postgresql://", "postgres://"].contains { text.begins(with: $0) }
    }

    /// Checks the database without changing it. A registry may be serving it.
    ///
    /// - Returns: what was found, in sentences; nil for a file.
    /// - Throws: the error that prevents a registry from starting with it.
    func examine() throws -> String? {
        switch self {
        case .file(let path):
            try SQLiteRegistryStore.examine(path: path)
            return nil
        case .server(let server): return try server.examine()
        }
    }

    /// The store for a command, whether a registry serves the database or not.
    ///
    /// - Parameter isChanging: whether the command changes something. A command that only reads also works without a
    ///   standby, and does not update the tables of PostgreSQL.
    func openBesideRegistry(isChanging: Bool) async throws -> any RegistryStore {
        switch self {
        case .file(let path): try SQLiteRegistryStore(besideRegistryAt: path)
        case .server(let server):
            try await PostgreSQLRegistryStore.open(
                isChanging ? server : server.withoutStandby, mayChangeTables: isChanging)
        }
    }

    /// Verifies the audit, even while a registry serves the database, without changing anything.
    ///
    /// - Parameters:
    ///   - range: the entries to check, from 1.
    ///   - checkpoints: what the audit must agree with, besides the checkpoints in the database.
    ///   - keys: the public keys, one of which must have signed each stored checkpoint; nil if no key is known.
    /// - Throws: ``ChainWalk/Fault`` if the audit is not intact, or the error of opening the database.
    func verifyAudit(
        _ range: ClosedRange<Int64>, against checkpoints: [Checkpoint], keys: [PublicKey]?
    ) async throws -> AuditVerification {
        switch self {
        case .file(let path):
            return try SQLiteRegistryStore.verifyAudit(inDatabaseAt: path, range, against: checkpoints, keys: keys)
        case .server(let server):
            let store = try await PostgreSQLRegistryStore.open(server.withoutStandby, mayChangeTables: false)
            return try await store.closing { try await store.verifyAudit(range, against: checkpoints, keys: keys) }
        }
    }

    /// The database file, for commands that only SQLite needs.
    ///
    /// - Throws: ``CommandFailure`` that says what to use with PostgreSQL.
    func sqliteFile() throws(CommandFailure) -> String {
        guard case .file(let path) = self else {
            throw CommandFailure(
                .usage,
                "this command is only for SQLite. With PostgreSQL use pgBackRest: see ‘Backups’ in docs/guide/cluster.md"
            )
        }
        return path
    }
}

extension RegistryStore {
    /// Runs a body that uses the store, and closes it, also after an error.
    func closing<Result: Sendable>(after body: () async throws -> Result) async throws -> Result {
        do {
            let result = try await body()
            await close()
            return result
        } catch {
            await close()
            throw error
        }
    }
}
