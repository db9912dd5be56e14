import CommandSupport
import Evidence
import RegistryHTTP
import RegistryPostgreSQL
import RegistryRules
import RegistrySQLite

extension CommandFailure {
    /// The failure for a registry error; nil for all other errors.
    init?(_ error: any Error) {
        switch error {
        case let error as StoreOpenError: self.init(Self.status(of: error), error.description)
        case let error as PostgreSQLOpenError: self.init(Self.status(of: error), error.description)
        case let error as DatabaseCopyError: self.init(Self.status(of: error), error.description)
        case let error as BackupError: self.init(Self.status(of: error), error.description)
        case DomainError.storageUnavailable(let reason):
            self.init(.ioError, "the database cannot be written to: \(reason)")
        case DomainError.outcomeUnknown(let reason):
            self.init(.ioError, "the database was lost while it stored the change, which it may have done: \(reason)")
        case let error as DomainError: self.init(.dataError, error.explanation)
        case let error as TLSFileError: self.init(.configuration, error.description)
        case let error as ListenError: self.init(.unavailable, error.description)
        case let fault as ChainWalk.Fault: self.init(.dataError, "the audit is not intact: \(fault)")
        default: return nil
        }
    }

    private static func status(of error: StoreOpenError) -> ExitStatus {
        switch error {
        case .folderMissing: .cannotCreate
        case .notWritable: .noPermission
        case .inUse: .cannotCreate
        case .newerSchema, .unreleasedSchema, .unreadable, .notDatabase, .damaged: .dataError
        case .notDurable: .system
        }
    }

    /// Only an invalid URL is a mistake in the settings, after which systemd does not restart the registry. Everything
    /// else can be fixed on the server.
    private static func status(of error: PostgreSQLOpenError) -> ExitStatus {
        switch error {
        case .invalidURL: .configuration
        case .journal: .cannotCreate
        case .unreachable, .migrating: .temporaryFailure
        case .notDurable, .unsafe, .noSynchronousStandby, .clock: .system
        case .oldServer, .encoding, .newerSchema, .unreleasedSchema, .olderSchema, .foreign: .dataError
        case .notAdmitted, .rights, .refused: .noPermission
        }
    }

    private static func status(of error: DatabaseCopyError) -> ExitStatus {
        switch error {
        case .notEmpty: .cannotCreate
        case .different, .unusable, .refused: .dataError
        }
    }

    private static func status(of error: BackupError) -> ExitStatus {
        switch error {
        case .missing: .noInput
        case .exists, .belongsToRegistry, .special: .cannotCreate
        case .foreign, .newerSchema, .unreleasedSchema, .damaged: .dataError
        case .failed: .ioError
        }
    }
}
