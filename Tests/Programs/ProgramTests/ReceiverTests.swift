import Foundation
import TestSupport
import Testing

@testable import MonitorCommands
@testable import findmybike

/// A venue without an adapter, whose receivers are proxies that it has already.
@Suite("findmybike-monitor with receivers", .timeLimit(.minutes(20)))
struct ReceiverTests {
    private static let key = "QRTIErOb/fcE9Ukd/5qA3RGYMn0Y+p06U58SCtOXvPc="

    private let here: SimulatedVenue

    init() async throws {
        here = try await SimulatedVenue()
    }

    /// A proxy that hears the missing bike again and again, made of aioesphomeapi's messages.
    private func proxy(_ arguments: String...) throws -> PythonPeer {
        let advert = "AABBCCDDEE01 1 -60 1AFF4C0002157F3A9C521B644E0D8A275D9E60C4B8131267514FC5\n"
        return try PythonPeer(
            Repository.path("Tests/Radio/ESPHomeTests/Fixtures/proxy.py"),
            [try here.folder.write(advert, to: "adverts.txt"), "--times", "1000000", "--rate", "20"] + arguments,
            interpreter: Repository.path(".build/venv/bin/python"),
            remedy: "run ‘scripts/prepare.sh tests’, which installs aioesphomeapi in .build/venv")
    }

    /// The arguments for listening with these receivers only.
    private func arguments(_ receivers: String) throws -> [String] {
        let settings = "radio:\n  backend: none\n" + receivers
        let arguments = Array(try here.arguments(settings, speed: 1).prefix(2))
        let file = try String(contentsOfFile: arguments[1], encoding: .utf8)
        let placed = file.replacing("station:\n", with: "station:\n  latitude: 51.5\n  longitude: -0.12\n")
        _ = try here.folder.write(placed, to: "monitor.yaml")
        return arguments
    }

    @Test("a bike that a proxy hears is reported, and the status and the log name each receiver")
    func reported() async throws {
        let (bar, door) = (try proxy("--key", Self.key), try proxy("--key", Self.key))
        let monitor = try StartedProgram(
            try BuiltProgram("findmybike-monitor"),
            try arguments(
                """
                receivers:
                  - name: bar
                    esphome: 127.0.0.1:\(bar.port)
                    keyFile: \(try here.folder.keyFile(Self.key))
                    latitude: 51.501
                    longitude: -0.12
                  - name: door
                    esphome: 127.0.0.1:\(door.port)
                """))
        // One line about each of the two, in any order.
        for _ in 0..<2 { #expect(await monitor.line(containing: "receiver ") != nil) }
        var status = ""
        while !status.contains("1 stored") { status = await here.venue("status").output }
        #expect(status.contains(/radio bar +scanning/), "\(status)")
        #expect(status.contains(/radio door +failed/), "\(status)")
        #expect(status.contains("the proxy requires a key"), "\(status)")
        let told = try await here.told()
        #expect(told.contains(/"name": ?"bar"/) && told.contains("51.501"), "\(told)")
        monitor.interrupt()
        let (end, output) = await monitor.end()
        #expect(end == 0, "\(output)")
        let lines = output.split(separator: "\n")
        #expect(lines.count { $0.contains("receiver is listening") && $0.contains("bar") } == 1, "\(output)")
        #expect(lines.count { $0.contains("receiver cannot listen") && $0.contains("door") } == 1, "\(output)")
    }

    @Test("a bike that Home Assistant hears is reported with the name of its proxy, and all say the same of it")
    func throughHomeAssistant() async throws {
        let peer = try PythonPeer(
            Repository.path("Tests/Radio/HomeAssistantTests/Fixtures/home_assistant.py"),
            ["--live", "--beacon", "02157f3a9c521b644e0d8a275d9e60c4b8131267514fc5"],
            interpreter: Repository.path(".build/venv/bin/python"),
            remedy: "run ‘scripts/prepare.sh tests’, which installs websockets in .build/venv")
        let settings = try arguments(
            """
            receivers:
              - name: home
                home-assistant: http://127.0.0.1:\(peer.port)
                tokenFile: \(try here.folder.keyFile("a.long-lived.access-token"))
              - name: door
                source: aa:00:00:00:00:01
                latitude: 51.501
                longitude: -0.12
              - name: cellar
                source: AA:00:00:00:00:09
            """)
        let monitor = try StartedProgram(try BuiltProgram("findmybike-monitor"), settings)
        // One line about Home Assistant, one about its radios, and one about the radio that it does not have.
        for _ in 0..<3 { #expect(await monitor.line(containing: " listen") != nil) }
        var status = ""
        while !status.contains("1 stored") { status = await here.venue("status").output }
        #expect(status.contains(/radio home +scanning/), "\(status)")
        #expect(status.contains(/radio home.yard +scanning/), "\(status)")
        #expect(status.contains(/radio door +scanning/), "\(status)")
        #expect(status.contains(/radio cellar +failed/), "\(status)")
        let told = try await here.told()
        #expect(told.contains(/"name": ?"(door|home.yard)"/), "\(told)")
        let doctor = await FindMyBike.run(["doctor", "--json"] + settings.prefix(2)).output
        #expect(doctor.contains("home: the monitor listens to http://127.0.0.1:\(peer.port)"), "\(doctor)")
        #expect(doctor.contains("door: the monitor listens to AA:00:00:00:00:01 through Home Assistant"), "\(doctor)")
        #expect(doctor.contains("cellar: Home Assistant does not have this adapter or proxy now"), "\(doctor)")
        monitor.interrupt()
        let (end, output) = await monitor.end()
        #expect(end == 0, "\(output)")
        let lines = output.split(separator: "\n")
        let listening = lines.filter { $0.contains("receivers are listening") }
        #expect(listening.count == 1 && listening.allSatisfy { $0.contains("door, home.yard") }, "\(output)")
        #expect(lines.count { $0.contains("receivers cannot listen") && $0.contains("cellar") } == 1, "\(output)")
    }

    @Test("the doctor connects to the proxies, or asks the running monitor about them")
    func doctor() async throws {
        let bar = try proxy("--key", Self.key)
        let settings = try arguments(
            """
            receivers:
              - name: bar
                esphome: 127.0.0.1:\(bar.port)
              - name: door
                esphome: 127.0.0.1:1
            """)
        let alone = await FindMyBike.run(["doctor", "--json"] + settings)
        #expect(alone.status == 1)
        #expect(alone.output.contains("bar: accepts connections at 127.0.0.1:\(bar.port)"), "\(alone.output)")
        #expect(alone.output.contains("door: the proxy cannot be reached"), "\(alone.output)")
        let monitor = try StartedProgram(try BuiltProgram("findmybike-monitor"), settings)
        var told = ""
        while !told.contains("bar: the proxy requires a key") {
            told = await FindMyBike.run(["doctor", "--json"] + settings).output
        }
        monitor.interrupt()
        #expect(await monitor.end().0 == 0)
    }
}

@Suite("The settings of receivers")
struct ReceiverSettingsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func check(_ receivers: String) async throws -> CommandRun {
        let settings = try folder.monitorSettings(
            "radio:\n  backend: none\n\(receivers)", place: "  latitude: 51.5\n  longitude: -0.12\n")
        return await MonitorCommand.run(["--config", settings, "--check-config"])
    }

    @Test(
        "receivers that cannot be used are refused by --check-config, and the error says what to do",
        arguments: [
            ("", "set receivers"), ("receivers: bar", "must be a list of entries"),
            ("receivers: [{esphome: a}]", "name is missing"),
            ("receivers: [{name: bar}]", "set esphome to a proxy’s address"),
            ("receivers: [{name: hci0, esphome: a}]", "must not begin with hci"),
            ("receivers: [{name: a b, esphome: a}]", "without spaces"),
            ("receivers: [{name: bar, esphome: 'http://a'}]", "host or host:port"),
            ("receivers: [{name: bar, esphome: a, mqtt: b}]", "make two entries"),
            ("receivers: [{name: bar, mqtt: home/bar/BTtoMQTT/#}]", "set mqtt.url"),
            ("receivers: [{name: a, esphome: c}, {name: b, esphome: c}]", "‘a’ has the same address"),
            ("receivers: [{name: bar, mqtt: '#'}]", "write the gateway’s topic"),
            ("receivers: [{name: bar, mqtt: a/b#}]", "write the gateway’s topic"),
            ("receivers: [{name: bar, mqtt: a, keyFile: b}]", "keyFile is for esphome"),
            ("receivers: [{name: bar, esphome: a, key: b}]", "unknown key ‘key’"),
            ("receivers: [{name: bar, esphome: a}, {name: bar, esphome: b}]", "entry 2 (‘bar’): another receiver"),
            ("receivers: [{name: bar, esphome: a, keyFile: /nonexistent}]", "No such file"),
            ("receivers: [{name: bar, esphome: a, keyFile: OPEN}]", "chmod 600"),
            ("receivers: [{name: home, home-assistant: a, tokenFile: OPEN}]", "write its URL"),
            ("receivers: [{name: home, home-assistant: 'http://a'}]", "tokenFile is missing"),
            ("receivers: [{name: home, home-assistant: 'http://a', tokenFile: OPEN}]", "chmod 600"),
            ("receivers: [{name: home, home-assistant: 'http://a', tokenFile: /nonexistent}]", "No such file"),
            ("receivers: [{name: a.b, home-assistant: 'http://a', tokenFile: OPEN}]", "at most 16 characters"),
            ("receivers: [{name: a, home-assistant: 'http://a', latitude: 51.5, longitude: 0}]", "entry with source"),
            ("receivers: [{name: a, home-assistant: 'http://a', keyFile: b}]", "keyFile is for esphome"),
            ("receivers: [{name: a, esphome: a, tokenFile: b}]", "tokenFile is for home-assistant"),
            ("receivers: [{name: a, source: b}]", "write the Bluetooth address"),
            ("receivers: [{name: a, source: 'AA:BB:CC:DD:EE:+F'}]", "write the Bluetooth address"),
            ("receivers: [{name: a, source: 'AA:BB:CC:DD:EE:FF'}]", "needs an entry with home-assistant"),
            (
                "receivers: [{name: home, home-assistant: 'http://a', tokenFile: TOKEN}]\npresence: {lostAfter: 60}",
                "presence.lostAfter to at least 90"
            ),
            (
                "receivers: [{name: a, home-assistant: 'http://a', tokenFile: TOKEN}, "
                    + "{name: b, home-assistant: 'http://b', tokenFile: TOKEN}]", "one is enough"
            ),
            ("receivers: [{name: bar, esphome: a, latitude: 51.5}]", "belong together"),
            ("receivers: [{name: bar, esphome: a, accuracy: 5}]", "accuracy needs both"),
            ("receivers: [{name: bar, esphome: a, latitude: 91, longitude: 0}]", "latitude is ‘91’"),
            ("receivers: [{name: bar, esphome: a, latitude: nan, longitude: 0}]", "latitude is ‘nan’"),
            ("receivers: [{name: bar, esphome: a, latitude: 51.5, longitude: 0, accuracy: -1}]", "accuracy is ‘-1’"),
            ("receivers: [{name: bar, esphome: a, latitude: 51.504, longitude: -0.12}]", "444 m from the station"),
            ("receivers: [{name: bar, esphome: a, latitude: 51.5, longitude: 0}]\nlocation:\n  source: gpsd", "mobile"),
        ])
    func refused(receivers: String, expected: String) async throws {
        let key = try folder.keyFile("QRTIErOb/fcE9Ukd/5qA3RGYMn0Y+p06U58SCtOXvPc=", mode: 0o644)
        let token = try folder.keyFile("a.long-lived.access-token", "home-assistant.token")
        let result = try await check(receivers.replacing("OPEN", with: key).replacing("TOKEN", with: token))
        #expect(result.status == 78)
        #expect(result.errors.contains(expected), "\(result.errors)")
    }

    @Test("a key that is none is refused")
    func noKey() async throws {
        let result = try await check("receivers: [{name: bar, esphome: a, keyFile: \(try folder.keyFile("secret"))}]")
        #expect(result.errors.contains("not the key of a proxy"), "\(result.errors)")
        #expect(!result.errors.contains("secret"))
    }
}

extension TemporaryFolder {
    fileprivate func keyFile(_ key: String, _ name: String = "bar.key", mode: Int = 0o600) throws -> String {
        let path = try write(key + "\n", to: name)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }
}
