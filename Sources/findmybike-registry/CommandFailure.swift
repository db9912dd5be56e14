import ArgumentParser
import Evidence
import Foundation
import Registry
import RegistryHTTP
import RegistrySQLite
import Settings
import Terminal

/// A failure as one line for people and an exit status for programs; nil for what the argument parser explains itself.
struct CommandFailure: Error {
    let message: String
    let status: ExitStatus

    init(_ status: ExitStatus, _ message: String) {
        self.message = message
        self.status = status
    }

    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure:
            self = failure
        case let error as SettingsError:
            (message, status) = (error.description, error.isUnreadable ? .noInput : .configuration)
        case let error as StoreOpenError:
            (message, status) = (error.description, Self.status(of: error))
        case let error as BackupError:
            (message, status) = (error.description, Self.status(of: error))
        case let refusal as ConfirmationOptions.Refusal:
            (message, status) = (refusal.description, .usage)
        case DomainError.storageUnavailable(let reason):
            (message, status) = ("the database cannot be written: \(reason)", .ioError)
        case let error as DomainError:
            (message, status) = (error.explanation, .dataError)
        case let error as TLSFileError:
            (message, status) = (error.description, .configuration)
        case let error as ListenError:
            (message, status) = (error.description, .unavailable)
        case let error as KeyFileError:
            (message, status) = (error.description, error.status)
        case let error as FileFailure:
            (message, status) = (error.description, Self.status(of: error))
        case let fault as ChainWalk.Fault:
            (message, status) = ("the audit is not whole: \(fault)", .dataError)
        case is ExitCode, is ValidationError, is CleanExit:
            return nil
        default:
            // What the argument parser threw has a usage text of its own.
            guard FindMyBikeRegistry.exitCode(for: error) == .failure else { return nil }
            (message, status) = ("\(error)", .software)
        }
    }

    /// A disk that fails or is full, or else a place where nothing can be made.
    private static func status(of failure: FileFailure) -> ExitStatus {
        [EIO, ENOSPC, EDQUOT, EFBIG].contains(failure.code) ? .ioError : .cannotCreate
    }

    private static func status(of error: StoreOpenError) -> ExitStatus {
        switch error {
        case .folderMissing: .cannotCreate
        case .notWritable: .noPermission
        case .inUse: .cannotCreate
        case .newerSchema, .unreadable, .notDatabase, .damaged: .dataError
        case .notDurable: .system
        }
    }

    private static func status(of error: BackupError) -> ExitStatus {
        switch error {
        case .missing: .noInput
        case .exists, .belongsToRegistry, .special: .cannotCreate
        case .foreign, .newerSchema, .damaged: .dataError
        case .failed: .ioError
        }
    }
}
