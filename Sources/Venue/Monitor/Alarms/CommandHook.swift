import Beacons
import Foundation
public import Logging
import OperatingSystem
import RegistryAPI

/// Alerts staff through the venue's program, such as a lamp, a siren or a message.
///
/// The program is started directly, without a shell. It gets the alarm in its environment, and an empty standard input.
/// Only one instance runs at a time. A program that fails is not run again for the same alarm.
public struct CommandHook: AlarmBell {
    public let name = "command"

    private let path: String
    private let arguments: [String]
    private let timeout: Duration
    private let advice: AlarmAdvice
    private let status: AlarmStatus
    private let logger: Logger

    /// - Parameters:
    ///   - path: the absolute path of the program.
    ///   - arguments: the program's arguments.
    ///   - timeout: the time after which the program and all processes that it started are killed.
    public init(
        _ path: String, _ arguments: [String], timeout: Duration, advice: AlarmAdvice, status: AlarmStatus,
        logger: Logger
    ) {
        self.path = path
        self.arguments = arguments
        self.timeout = timeout
        self.advice = advice
        self.status = status
        self.logger = logger
    }

    /// Runs the program. Throws only `CancellationError`: a failure of the program is logged and counted.
    public func ring(_ alarm: Alarm) async throws {
        let (end, output) = try await ExternalProgram(
            path, arguments, environment: environment(of: alarm), timeout: timeout
        ).run()
        let metadata: Logger.Metadata = ["visit": "\(alarm.id)", "output": "\(output)"]
        guard end != .exited(0) else {
            status.commandEnded(end.kind, error: nil)
            return logger.info("alarm.command has run", metadata: metadata)
        }
        status.commandEnded(end.kind, error: "\(end)")
        logger.error("alarm.command \(end)", metadata: metadata)
    }

    /// The environment of the program. From the monitor's own environment it gets only PATH, LANG and HOME, since the
    /// monitor's settings may hold secrets.
    func environment(of alarm: Alarm) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = ["PATH": own["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", "LANG": own["LANG"] ?? "C.UTF-8"]
        environment["HOME"] = own["HOME"]
        let visit = alarm.kept.visit
        let values = [
            "VISIT": "\(alarm.id)",
            "KIND": alarm.lookFor.kind.rawValue,
            "MAKE": alarm.lookFor.make,
            "MODEL": alarm.lookFor.model,
            "COLOURS": alarm.lookFor.colours.map(\.rawValue).joined(separator: ","),
            "LOOK_FOR": alarm.appearance,
            "PHOTO": alarm.lookFor.photo ?? "",
            "PROXIMITY": visit.proximity.rawValue,
            "RECEIVER": visit.receiver?.name ?? "",
            "FIRST_SEEN": visit.timeUncertain == true ? "" : "\(visit.firstSeen)",
            "ADVICE": advice.text,
            "CONTACT": advice.contact ?? "",
        ]
        for (name, value) in values { environment["FINDMYBIKE_ALARM_\(name)"] = value }
        return environment
    }
}
