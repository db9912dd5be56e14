import Foundation
import Glibc

/// Sends HCI events through a socket pair to the scanner, and measures lost events and the share of a core.
///
///     hci-stream [REPORTS-A-SECOND [SECONDS]]
///     hci-stream --loop FOLDER [listed]
///
/// With --loop, the monitor's scan loop receives the events of a controller at the standard input until it is terminated,
/// and nothing is measured: Benchmarks/count.sh counts its instructions, and starts the controller, because Foundation
/// cannot start a process under valgrind. The outbox is in FOLDER; `listed` means that the beacons are missing. The
/// controller is a separate process (this program again), so that only the scanner's time counts.
@main
struct Main {
    /// The maximum share of one core for the scanner, in percent.
    static let limit = 5.0

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let numbers = arguments.compactMap { Int($0) }
        let rate = numbers.first ?? 10_000
        let seconds = numbers.dropFirst().first ?? 20
        switch arguments.first {
        case "--controller":
            Controller(descriptor: STDOUT_FILENO, load: .steady(rate: rate, seconds: seconds), beacons: 1000).run()
        case "--controller-on-demand":
            Controller(descriptor: STDOUT_FILENO, load: .bursts, beacons: ScanLoopRun.beacons).run()
        case "--loop" where arguments.count > 1:
            try await ScanLoopRun(
                descriptor: STDIN_FILENO, folder: arguments[1], isListed: arguments.last == "listed"
            ).run()
        default:
            let (descriptor, controller) = try start(["--controller", "\(rate)", "\(seconds)"])
            let heard = try await Listener(descriptor: descriptor, expected: rate * seconds).run()
            controller.waitUntilExit()
            print(heard.summary(sent: rate * seconds, seconds: seconds, limit: limit))
            exit(heard.reports == rate * seconds && heard.share <= limit ? 0 : 1)
        }
    }

    /// Starts the controller with one end of a socket pair as its standard output.
    private static func start(_ arguments: [String]) throws -> (CInt, Process) {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        try process.run()
        return (ends[0], process)
    }
}
