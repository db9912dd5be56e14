import Beacons
import Foundation
import RegistryAPI
import TestSupport
import Testing

@testable import Monitor

/// An alarm runs the venue's program: as configured, with what it needs, and with a time limit.
@Suite("The alarm's command", .timeLimit(.minutes(20)))
struct CommandHookTests {
    private let folder: TemporaryFolder
    private let status = AlarmStatus()
    private var maker = VisitMaker()

    init() throws {
        folder = try TemporaryFolder()
    }

    private mutating func alarm(make: String = "Honda") -> Alarm {
        Alarm(
            kept: StationVisit(maker.visit()),
            lookFor: BikeAppearance(kind: .motorbike, make: make, model: "CB500X", colours: [.red, .black]),
            isPresent: true, confirmation: nil)
    }

    private func hook(
        _ arguments: [String], timeout: Duration = .seconds(600), log: LogLines = LogLines()
    ) -> CommandHook {
        CommandHook(
            arguments[0], Array(arguments.dropFirst()), timeout: timeout,
            advice: AlarmAdvice(contact: "the police on 101"), status: status,
            logger: log.logger())
    }

    /// Writes a program of one or more shell lines.
    private func script(_ lines: String) async throws -> String {
        try await folder.script(lines, to: "hook-\(UUID().uuidString)")
    }

    @Test("the environment holds the alarm and none of the monitor's settings")
    mutating func environment() async throws {
        let output = folder.file("environment")
        let alarm = alarm()
        try await hook([try await script("env | sort > \(output)")]).ring(alarm)
        try #require(status.state.commands == ["succeeded": 1])
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map(String.init)
        let own = lines.filter { $0.hasPrefix("FINDMYBIKE_") }
        #expect(
            own == [
                "FINDMYBIKE_ALARM_ADVICE=It may be the rightful owner. Do not confront anyone. Call: the police on 101.",
                "FINDMYBIKE_ALARM_COLOURS=red,black",
                "FINDMYBIKE_ALARM_CONTACT=the police on 101",
                "FINDMYBIKE_ALARM_FIRST_SEEN=\(alarm.kept.visit.firstSeen)",
                "FINDMYBIKE_ALARM_KIND=motorbike",
                "FINDMYBIKE_ALARM_LOOK_FOR=red/black Honda CB500X (motorbike)",
                "FINDMYBIKE_ALARM_MAKE=Honda",
                "FINDMYBIKE_ALARM_MODEL=CB500X",
                "FINDMYBIKE_ALARM_PHOTO=",
                "FINDMYBIKE_ALARM_PROXIMITY=near",
                "FINDMYBIKE_ALARM_RECEIVER=",
                "FINDMYBIKE_ALARM_VISIT=\(alarm.id)",
            ])
        let others = Set(lines.filter { !$0.hasPrefix("FINDMYBIKE_") }.map { $0.prefix { $0 != "=" } })
        #expect(others.isSubset(of: ["HOME", "LANG", "PATH", "PWD", "SHLVL", "_"]))
    }

    @Test("neither arguments nor the bike's description pass through a shell")
    mutating func noShell() async throws {
        let touched = folder.file("touched")
        let words = "$(touch \(touched)); `touch \(touched)`"
        let log = LogLines()
        try await hook(["/usr/bin/printf", "%s|%s", words, "b c"], log: log).ring(alarm(make: words))
        #expect(!FileManager.default.fileExists(atPath: touched))
        #expect(log.text.contains("\(words)|b c"), "\(log.text)")
    }

    @Test("a failure is logged with its output and counted")
    mutating func failure() async throws {
        let log = LogLines()
        try await hook([try await script("echo no lamp >&2; exit 3")], log: log).ring(alarm())
        #expect(log.text.contains("ended with status 3"), "\(log.text)")
        #expect(log.text.contains("no lamp"))
        #expect(status.state.commands == ["failed": 1])
        try await hook(["/nowhere/lamp"], log: log).ring(alarm())
        #expect(log.text.contains("could not be started: No such file or directory"))
        #expect(status.state.commands == ["failed": 1, "notStarted": 1])
        try await hook([try await script("kill -TERM $$")], log: log).ring(alarm())
        #expect(status.state.lastCommandError == "was terminated by signal 15")
    }

    @Test("a command that takes too long is killed with all its child processes")
    mutating func timeout() async throws {
        let children = folder.file("children")
        let program = try await script("sleep 600 & echo $! > \(children); trap '' TERM; sleep 600")
        var (timeout, rings) = (Duration.seconds(1), 0)
        var started: pid_t?
        while started == nil {
            try await hook([program], timeout: timeout).ring(alarm())
            rings += 1
            started = pid_t((try? String(contentsOfFile: children, encoding: .utf8).dropLast()) ?? "")
            // On a busy machine even the shell may need longer.
            timeout = timeout * 2
        }
        #expect(status.state.commands == ["timedOut": rings])
        let child = try #require(started)
        // Its parent is gone: the init process or subreaper reaps it, or it stays a zombie.
        try await eventually("the child has ended") { try !isRunning(child) }
    }

    @Test("the command ends with the monitor")
    mutating func cancelled() async throws {
        let began = folder.file("began")
        let hook = hook([try await script("echo $$ > \(began); exec sleep 600")])
        let task = Task { [alarm = alarm()] in try await hook.ring(alarm) }
        var id: pid_t?
        try await eventually("the command runs") {
            id = pid_t((try? String(contentsOfFile: began, encoding: .utf8).dropLast()) ?? "")
            return id != nil
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try !isRunning(try #require(id)))
        #expect(status.state.commands.isEmpty)
    }

    @Test("only the beginning of endless output is kept")
    mutating func output() async throws {
        let log = LogLines()
        let program = try await script("head -c 5000000 /dev/zero | tr '\\0' x")
        try await hook([program], log: log).ring(alarm())
        #expect(status.state.commands == ["succeeded": 1])
        #expect(log.text.contains(String(repeating: "x", count: 4096)))
        #expect(log.text.count < 6000)
    }

    @Test("the command inherits no open files")
    mutating func descriptors() async throws {
        let secret = open(try folder.write("secret", to: "secret"), O_RDONLY)
        defer { close(secret) }
        let log = LogLines()
        try await hook(["/bin/ls", "/proc/self/fd"], log: log).ring(alarm())
        // Other tests of this process may be opening files at this moment.
        let inherited = log.text.split(whereSeparator: \.isWhitespace)
        #expect(inherited.contains("output=0") && !inherited.contains("\(secret)"), "\(log.text)")
    }

    private func isRunning(_ id: pid_t) throws -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return false }
        return text.drop { $0 != ")" }.dropFirst(2).first != "Z"
    }
}
