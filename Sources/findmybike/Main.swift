import ArgumentParser
import Foundation

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
            FileHandle.standardError.write(Data("findmybike: \(failure.message)\n".utf8))
            exit(failure.status.rawValue)
        }
    }
}
