import Foundation
public import OperatingSystem
public import Settings
import Syntax
import Terminal

/// The reason why a program fails: one message for people, one status for scripts.
public struct CommandFailure: Error, Sendable {
    public let status: ExitStatus
    /// What is wrong and what helps, on one line or several.
    public let message: String

    public init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The failure for an error that can occur in every program; nil for all other errors.
    public init?(common error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as SettingsError: self.init(error)
        case let error as FileFailure: self.init(error)
        case let error as OutputFailure: self.init(.ioError, error.description)
        default: return nil
        }
    }

    /// The failure for settings that are invalid, or whose file cannot be read.
    public init(_ error: SettingsError) {
        self.init(error.isUnreadable ? .noInput : .configuration, error.description)
    }

    /// The failure for a disk that is full or fails, or otherwise for a path that cannot be written to.
    public init(_ failure: FileFailure) {
        let isFaultOfDisk = [EIO, ENOSPC, EDQUOT, EFBIG].contains(failure.code)
        let remedy = failure.code == EEXIST ? ": delete or move it first, or give another name" : ""
        self.init(isFaultOfDisk ? .ioError : .cannotCreate, failure.description + remedy)
    }

    /// Whether the same command may succeed later.
    public var isTransient: Bool { status == .unavailable || status == .temporaryFailure }

    /// Prints the message to standard error, with the program's name on each line.
    func show(program: String) {
        let name = Style(ExecutionEnvironment.current.variables, isTerminal: Console.error.isTerminal)
            .paint("\(program):", .alarm)
        Console.error.painted(message.split(at: "\n").map { "\(name) \(TerminalText.line($0))" })
    }
}
