import ArgumentParser
import Foundation
import Terminal

extension ConfiguredProgram {
    /// Runs the program on its command line. A failure ends it with a message that includes the remedy, and a status of
    /// ``ExitStatus``.
    public static func runProgram() async {
        StandardStreams.openClosed()
        let status = await Self.status(of: Array(CommandLine.arguments.dropFirst()))
        if status != ExitStatus.success.rawValue { Foundation.exit(status) }
    }

    /// Runs a command line in the current `ExecutionEnvironment`, prints the message of a failure, and returns the exit
    /// status.
    public static func status(of arguments: [String]) async -> Int32 {
        let status = await run(arguments)
        // Even if the command succeeded, its result was lost.
        guard let loss = ExecutionEnvironment.current.outputFailure, let failure = CommandFailure(common: loss) else {
            return status
        }
        failure.show(program: _commandName)
        return failure.status.rawValue
    }

    /// Runs a command line; prints the message of a failure, unless it is only that the output is lost.
    private static func run(_ arguments: [String]) async -> Int32 {
        do {
            var command = try parseAsRoot(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return ExitStatus.success.rawValue
        } catch {
            // The cancellation that follows is not another failure.
            guard ExecutionEnvironment.current.outputFailure == nil else { return ExitStatus.ioError.rawValue }
            let known = CommandFailure(common: error) ?? Self.failure(for: error)
            guard let failure = known ?? unexpectedFailure(error) else {
                return explain(error, of: arguments)
            }
            failure.show(program: _commandName)
            return failure.status.rawValue
        }
    }

    /// The failure for an unexpected error; nil if the argument parser explains it.
    private static func unexpectedFailure(_ error: any Error) -> CommandFailure? {
        guard !(error is ExitCode), exitCode(for: error) == .failure else { return nil }
        return CommandFailure(.software, "\(error)")
    }
}
