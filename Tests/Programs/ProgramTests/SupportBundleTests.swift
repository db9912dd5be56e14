import Foundation
import TestSupport
import Testing

@testable import MonitorCommands

@Suite("findmybike-monitor support-bundle", .timeLimit(.minutes(20)))
struct SupportBundleTests {
    private static let token = "fmb_station_7f3KQ2MXW9TC4HJ6DPPZ0A7f3KQ2MXW9TC4HJ6DPPZ0"
    private static let planted = [
        token, "7KQ2M-XW9TC-4HJ6D-PPZ0A", "hunter2", "not-a-real-token", "7F3A9C52-1B64", "aqua", "Quillon", "T0XQ",
        "b0t",
        "s3cr3t",
    ]

    private static let event = "2026-11-21T13:00:00.000Z info findmybike-monitor:"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Makes a bundle from a journal and settings with secrets; returns its output and content.
    private func bundle(_ settings: String) async throws -> (said: String, held: String) {
        _ = try await folder.script(
            """
            echo '2026-11-21T13:00:00+0000 pi findmybike-monitor[4]: \(Self.event) reason=refused fmb_station_\(Self.token.dropFirst(12)) [Monitor] not reported'
            echo '2026-11-21T13:00:00+0000 pi findmybike-monitor[4]: \(Self.event) output=curl: T0XQ reason=T0XQ visit=1 [Monitor] alarm.command has run'
            echo '2026-11-21T13:00:00+0000 pi findmybike-monitor[4]: findmybike-monitor: mqtt.url: ‘mqtt://ada:b0t@host’ is invalid'
            echo '2026-11-21T13:00:01+0000 pi sudo[5]: COMMAND=findmybike-monitor enrol https://a.example 7KQ2M-XW9TC-4HJ6D-PPZ0A'
            echo '2026-11-21T13:00:02+0000 pi x[6]: password=hunter2 Authorization: Bearer not-a-real-token'
            echo '2026-11-21T13:00:03+0000 pi x[7]: matched beacon=7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815 rssi=-49'
            echo '2026-11-21T13:00:04+0000 pi systemd[1]: Started findmybike-monitor.service'
            """, to: "journalctl")
        let config = try folder.write(settings, to: "monitor.yaml")
        let file = folder.file("bundle.tar.gz")
        let result = try await BuiltProgram("findmybike-monitor").run(
            ["support-bundle", "--config", config, "--output", file],
            environment: [
                "PATH": "\(folder.path):/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus",
                "SUDO_UID": "12345", "SUDO_GID": "12345",
            ])
        #expect(result.status == 0, "\(result.errors)")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // If run as root, the file belongs to the user who called sudo; other users cannot change its owner.
        #expect(attributes[.ownerAccountID] as? Int == (geteuid() == 0 ? 12345 : Int(geteuid())))
        return (result.output, try await BuiltProgram(path: "/usr/bin/tar").run(["-xzOf", file]).output)
    }

    @Test("it holds what a supporter needs, lists it, and contains none of the machine's secrets")
    func contents() async throws {
        let token = try folder.write(Self.token + "\n", to: "station-token")
        let (said, held) = try await bundle(
            """
            # The password of the café's network is hunter2.
            registry:
              url: http://127.0.0.1:1
            station:
              tokenFile: \(token)
            radio:
              adapters: \(Self.token)
            status:
              socket: \(folder.file("status.sock"))
            alarm:
              contact: Quillon
              command: [/usr/bin/curl, -u, "ada:aqua", "https://hooks.example/services/T0XQ/b0t"]
            mqtt:
              url: mqtt://s3cr3t
              user: s3cr3t
              passwordFile: /etc/findmybike/mqtt-password

            """)
        for name in ["machine.txt", "settings.txt", "status.json", "doctor.txt", "log.txt"] {
            #expect(said.contains(name))
        }
        for part in [
            "monitor: 1.", "kernel: ", "free in ", "list.wait: 50 (default)", "station.tokenFile: \(token)",
            "No monitor answers", "the registry cannot be reached", "reason=refused [secret] [Monitor] not reported",
            "[not shown] [Monitor] alarm.command has run", "mqtt.url: ‘…’ is invalid", "Started findmybike-monitor",
            "alarm.command: [set, not shown]", "mqtt.passwordFile: /etc/findmybike/mqtt-password",
        ] {
            #expect(held.contains(part), "\(part) is missing in \(held)")
        }
        for secret in Self.planted { #expect(!held.contains(secret), "\(secret) in \(held)") }
    }

    @Test("invalid settings do not prevent it, and are reported")
    func disorder() async throws {
        let (_, held) = try await bundle(
            "station:\n  token: \(Self.token)\n  latitude: hunter2hunter2\nmqtt:\n  url: b0t\n")
        #expect(held.contains("monitor.yaml:2: unknown key ‘station.token’"))
        #expect(held.contains("monitor.yaml:5: mqtt.url: the value is invalid: expected mqtt://host:port"))
        for secret in Self.planted { #expect(!held.contains(secret), "\(secret) in \(held)") }
    }

    @Test("an existing file is not overwritten")
    func existing() async throws {
        let file = try folder.write("mine", to: "bundle.tar.gz")
        let result = await MonitorCommand.run(["support-bundle", "--output", file])
        #expect(result.status == 73)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    }
}
