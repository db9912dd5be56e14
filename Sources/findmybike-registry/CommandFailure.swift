import ArgumentParser
import Evidence
import Foundation
import Registry
import RegistryHTTP
import RegistrySQLite
import Settings

/// A failure as one line for people and an exit status for programs; nil for what the argument parser explains itself.
struct CommandFailure {
    let message: String
    let status: ExitCode

    init?(_ error: any Error) {
        switch error {
        case let error as SettingsError:
            (message, status) = (error.description, ExitCode(EX_CONFIG))
        case let error as StoreOpenError:
            (message, status) = (error.description, ExitCode(Self.status(of: error)))
        case let error as BackupError:
            (message, status) = (error.description, ExitCode(Self.status(of: error)))
        case DomainError.storageUnavailable(let reason):
            (message, status) = ("the database cannot be written: \(reason)", ExitCode(EX_IOERR))
        case let error as TLSFileError:
            (message, status) = (error.description, ExitCode(EX_CONFIG))
        case let error as ListenError:
            (message, status) = (error.description, ExitCode(EX_UNAVAILABLE))
        case let error as KeyFileError:
            (message, status) = (error.description, ExitCode(error.status))
        case let error as FileFailure:
            (message, status) = (error.description, ExitCode(Self.status(of: error)))
        case let fault as ChainWalk.Fault:
            (message, status) = ("the audit is not whole: \(fault)", ExitCode(EX_DATAERR))
        case is ExitCode, is ValidationError, is CleanExit:
            return nil
        default:
            // What the argument parser threw has a usage text of its own.
            guard FindMyBikeRegistry.exitCode(for: error) == .failure else { return nil }
            (message, status) = ("\(error)", ExitCode(EX_SOFTWARE))
        }
    }

    /// A disk that fails or is full, or else a place where nothing can be made.
    private static func status(of failure: FileFailure) -> Int32 {
        [EIO, ENOSPC, EDQUOT, EFBIG].contains(failure.code) ? EX_IOERR : EX_CANTCREAT
    }

    private static func status(of error: StoreOpenError) -> Int32 {
        switch error {
        case .folderMissing: EX_CANTCREAT
        case .notWritable: EX_NOPERM
        case .inUse: EX_TEMPFAIL
        case .newerSchema, .unreadable: EX_DATAERR
        case .notDurable: EX_OSERR
        }
    }

    private static func status(of error: BackupError) -> Int32 {
        switch error {
        case .missing: EX_NOINPUT
        case .exists: EX_CANTCREAT
        case .foreign, .newerSchema, .damaged: EX_DATAERR
        case .failed: EX_IOERR
        }
    }
}
