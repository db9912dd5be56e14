public import ArgumentParser
import Foundation

extension ParsableCommand {
    /// Runs the program. A failure ends it with a message that includes the remedy, and a status of ``ExitStatus``.
    ///
    /// - Parameters:
    ///   - meanings: see ``refuse(_:meanings:)``.
    ///   - failure: the failure for an error of this program; nil for an unknown error.
    public static func runProgram(
        meanings: [String: String] = [:], failure: @Sendable (any Error) -> CommandFailure? = { _ in nil }
    ) async {
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            guard let failure = CommandFailure(common: error) ?? failure(error) ?? fault(error) else {
                refuse(error, meanings: meanings)
            }
            failure.show(program: _commandName)
            Foundation.exit(failure.status.rawValue)
        }
    }

    /// The failure for an unexpected error; nil if the argument parser explains it.
    private static func fault(_ error: any Error) -> CommandFailure? {
        guard !(error is ExitCode), exitCode(for: error) == .failure else { return nil }
        return CommandFailure(.software, "\(error)")
    }
}
