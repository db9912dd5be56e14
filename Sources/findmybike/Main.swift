import ArgumentParser
import Foundation
import Terminal

/// Runs the command and turns every failure into one line that says what to do and an exit status of sysexits(3).
@main
struct Main {
    static func main() async {
        do {
            var command = try FindMyBike.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            guard let failure = CommandFailure(error) else { FindMyBike.exit(withError: error) }
            let style = Style(ProcessInfo.processInfo.environment, isTerminal: isatty(STDERR_FILENO) == 1)
            FileHandle.standardError.write(
                Data("\(style.paint("findmybike:", .alarm)) \(failure.message)\n".utf8))
            exit(failure.status.rawValue)
        }
    }
}
