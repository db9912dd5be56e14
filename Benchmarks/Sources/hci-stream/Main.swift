import Foundation
import Glibc

/// Sends HCI events through a socket pair to the scanner, and measures lost events and the share of a core.
///
///     hci-stream [REPORTS-A-SECOND [SECONDS]]
///
/// The controller is a separate process (this program again), so that only the scanner's time counts.
@main
struct Main {
    /// The maximum share of one core for the scanner, in percent.
    static let limit = 5.0

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        if CommandLine.arguments.dropFirst().first == "--controller" {
            return Controller(descriptor: 0, rate: arguments[0], seconds: arguments[1]).run()
        }
        let rate = arguments.first ?? 10_000
        let seconds = arguments.dropFirst().first ?? 20
        let (descriptor, controller) = try start(rate: rate, seconds: seconds)
        let heard = try await Listener(descriptor: descriptor, expected: rate * seconds).run()
        controller.waitUntilExit()
        print(heard.summary(sent: rate * seconds, seconds: seconds, limit: limit))
        exit(heard.reports == rate * seconds && heard.share <= limit ? 0 : 1)
    }

    /// Starts the controller with one end of a socket pair as its standard input.
    private static func start(rate: Int, seconds: Int) throws -> (CInt, Process) {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--controller", "\(rate)", "\(seconds)"]
        process.standardInput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        try process.run()
        return (ends[0], process)
    }
}
