import ArgumentParser
import Foundation
import Terminal

/// Runs the command and turns every failure into one line that says what to do and an exit status of sysexits(3).
@main
struct Main {
    /// What people type who think of another word.
    private static let meanings = [
        "missing": "findmybike bike missing", "lost": "findmybike bike missing", "stolen": "findmybike bike missing",
        "bike lost": "findmybike bike missing", "found": "findmybike bike found",
        "register": "findmybike bike register", "add": "findmybike bike register",
        "bike add": "findmybike bike register", "bike create": "findmybike bike register",
        "bike delete": "findmybike bike erase", "bike remove": "findmybike bike erase",
        "channel delete": "findmybike channel remove", "channel edit": "findmybike channel change",
    ]

    static func main() async {
        do {
            var command = try FindMyBike.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            guard let failure = CommandFailure(error) else { FindMyBike.refuse(error, meanings: meanings) }
            let style = Style(ProcessInfo.processInfo.environment, isTerminal: Console.error.isTerminal)
            let lines = failure.message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let first = "\(style.paint("findmybike:", .alarm)) \(TerminalText.line(lines.first ?? ""))"
            Console.error.painted([first] + lines.dropFirst().map { TerminalText.line($0) })
            exit(failure.status.rawValue)
        }
    }
}
