import Foundation
import TestSupport
import Testing

@testable import MonitorCommands

/// From the radio to the café's lamp: staff are alerted once to a missing bike, and the registry gets their answer.
@Suite("A venue's alarms", .timeLimit(.minutes(20)))
struct AlarmTests {
    private let here: SimulatedVenue

    init() async throws {
        here = try await SimulatedVenue()
    }

    /// Makes the registry describe the missing bike to stations from now on.
    private func disclose() async throws {
        try await here.control(
            #"{"lookFor":{"kind":"motorbike","make":"Honda","model":"CB500X","colours":["red","black"]}}"#)
    }

    /// Writes a program that records each run and its alarm.
    private func hook() async throws -> (settings: String, log: String) {
        let log = here.folder.file("rung")
        let path = try await here.folder.script(
            "echo \"$1: $FINDMYBIKE_ALARM_LOOK_FOR, $FINDMYBIKE_ALARM_VISIT\" >> \(log)", to: "lamp")
        return ("alarm:\n  contact: the police on 101\n  command: [\(path), red lamp]\n", log)
    }

    private func status() async throws -> [String: Any] {
        let text = await here.venue("status", "--json").output
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    @Test("command, status and events report the bike once, even after a restart; staff's answers are reported")
    func alarm() async throws {
        let (settings, log) = try await hook()
        let monitor = try here.start(settings)
        #expect(await monitor.line(containing: "serving the status") != nil)
        let events = try StartedProgram(
            BuiltProgram(path: "/usr/bin/curl"),
            ["--silent", "--no-buffer", "--unix-socket", here.socket, "http://localhost/events"])
        #expect(await events.line(containing: ": events") != nil)
        #expect(await monitor.line(containing: "sighting stored") != nil)
        try await disclose()
        #expect(await events.line(containing: "event: alarm") != nil)
        let event = try #require(await events.line(containing: "data:"))
        #expect(event.contains(#""lookFor":"red/black Honda CB500X (motorbike)""#), "\(event)")
        events.interrupt()
        #expect(await monitor.line(containing: "alarm.command has run") != nil)

        let alarms = try #require(try await status()["alarms"] as? [String: Any])
        let recent = try #require((alarms["recent"] as? [[String: Any]])?.first)
        let visit = try #require(recent["visit"] as? String)
        #expect(recent["isPresent"] as? Bool == true)
        #expect(alarms["commands"] as? [String: Int] == ["succeeded": 1])
        let text = await here.venue("status").output
        #expect(text.contains("red/black Honda CB500X (motorbike) is here (near)"), "\(text)")
        #expect(text.contains("It may be the rightful owner. Do not confront anyone. Call: the police on 101."))

        for (answer, words) in [("absent", "was not there"), ("seen", "was seen")] {
            let said = await here.venue(answer, visit)
            #expect(said.status == 0, "\(said.errors)")
            #expect(said.output.contains(words))
            try await eventually("the registry is told: \(answer)") {
                try await here.told().contains(#""answer": "\#(answer)""#)
            }
        }
        #expect(await here.venue("status").output.contains("answered: seen"))
        let stranger = await here.venue("seen", "0199f0de-0000-7000-8000-000000000001")
        #expect(stranger.status == 65)
        #expect(stranger.errors.contains("No alarm for 0199f0de-0000-7000-8000-000000000001."))

        monitor.interrupt()
        _ = await monitor.end()
        let again = try here.start(settings)
        #expect(await again.line(containing: "sighting stored") != nil)
        // The status shows a rung alarm only after it is on disk.
        #expect(await here.venue("status").output.contains("answered: seen"))
        again.interrupt()
        _ = await again.end()
        #expect(
            try String(contentsOfFile: log, encoding: .utf8)
                == "red lamp: red/black Honda CB500X (motorbike), \(visit)\n")
    }

    @Test("a broker that starts late and restarts gets the alarm once; a button sends an answer")
    func broker() async throws {
        try await disclose()
        let broker = try await MosquittoBroker(users: ["monitor": "secret", "lamp": "other"])
        let password = try here.folder.write("secret\n", to: "broker-password")
        let monitor = try here.start(
            """
            mqtt:
              url: mqtt://127.0.0.1:\(broker.port)
              user: monitor
              passwordFile: \(password)
              node: cafe
              answers: true
            """)
        #expect(await monitor.line(containing: "no broker") != nil)
        #expect(await monitor.line(containing: "alarm: a missing bike is here") != nil)
        let lamp = ["-u", "lamp", "-P", "other"]
        let first = try await broker.start()
        let listener = try await broker.listen(to: ["findmybike/cafe/#"], lamp + ["-c", "-i", "lamp"])
        let line = try #require(await listener.line(containing: "cafe/alarm 0 {"))
        #expect(line.contains(#""colours":["red","black"]"#), "\(line)")
        #expect(!line.contains(SimulatedVenue.identity), "the beacon is nobody's business")
        try await broker.publish("findmybike/cafe/answer", "seen", lamp)
        try await eventually("the registry is told") { try await here.told().contains(#""answer": "seen""#) }
        #expect(await listener.line(containing: #"cafe/bikes 0 {"advice""#) != nil)

        first.interrupt()
        _ = await first.end()
        // The log has a line a minute, so ask the monitor itself.
        try await eventually("the monitor misses the broker") {
            await here.venue("status").output.contains(/broker +NOT CONNECTED/)
        }
        let second = try await broker.start()
        try await eventually("the monitor is connected again") {
            await here.venue("status").output.contains(/broker +connected/)
        }
        let late = try await broker.listen(to: ["findmybike/cafe/#", "homeassistant/#"], lamp)
        #expect(await late.line(containing: "cafe/present 1 ON") != nil)
        #expect(await late.line(containing: "button/findmybike_cafe/seen/config 1 {") != nil)
        #expect(await late.line(containing: #"cafe/status 0 {"#) != nil)
        monitor.interrupt()
        _ = await monitor.end()
        #expect(await late.line(containing: "cafe/availability 0 offline") != nil)
        for listener in [listener, late] { listener.interrupt() }
        let heard = await listener.end().output + late.end().output
        #expect(heard.components(separatedBy: "cafe/alarm 0 {").count == 2, "\(heard)")
        withExtendedLifetime(second) {}
    }
}

@Suite("The settings of alarms")
struct AlarmSettingsTests {
    @Test(
        "settings that cannot work are refused at startup, and the error says what to do",
        arguments: [
            ("alarm:\n  command: [lamp]", "‘lamp’ must be an absolute path"),
            ("alarm:\n  command: [/nowhere/lamp]", "/nowhere/lamp is not a program"),
            ("alarm:\n  command: /bin/true", "alarm.command must be a list"),
            ("mqtt:\n  url: mqtt://user:password@broker", "for user and password set mqtt.user"),
            ("mqtt:\n  url: mqtt://broker\n  node: a/b", "mqtt.node is ‘a/b’"),
            ("mqtt:\n  url: mqtt://broker\n  topic: a/#", "mqtt.topic is ‘a/#’"),
            ("mqtt:\n  url: mqtt://broker\n  passwordFile: /etc/hostname", "set both"),
        ])
    func refused(settings: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        let scenario = Repository.path("config/scenarios/bike-passes-cafe.yaml")
        let run = await MonitorCommand.run([
            "--config", try folder.monitorSettings(settings), "--simulate", scenario,
        ])
        #expect(run.status == 78)
        #expect(run.errors.contains(reason), "\(run.errors)")
    }
}
