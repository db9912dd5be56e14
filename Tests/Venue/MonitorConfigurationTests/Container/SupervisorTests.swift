import TestSupport
import Testing

@testable import MonitorConfiguration

@Suite("What an app learns from the Supervisor", .timeLimit(.minutes(10)))
struct SupervisorTests {
    private func peer(_ fault: String = "") throws -> PythonPeer {
        try PythonPeer(
            Repository.path("Tests/Radio/HomeAssistantTests/Fixtures/home_assistant.py"),
            ["--supervisor", "--fault", fault],
            interpreter: Repository.path(".build/venv/bin/python"),
            remedy: "run ‘scripts/prepare.sh tests’, which installs websockets in .build/venv")
    }

    private func supervisor(_ peer: PythonPeer, patience: Duration = .seconds(600)) -> Supervisor {
        Supervisor(
            token: "a.long-lived.access-token", address: "http://127.0.0.1:\(peer.port)", patience: patience)
    }

    @Test("the home and the broker become settings")
    func settings() async throws {
        let peer = try peer()
        let supervisor = supervisor(peer)
        #expect(
            try await supervisor.home() == [
                "station.latitude": "51.5007", "station.longitude": "-0.1246", "station.accuracy": "30.0",
            ])
        let (broker, password) = try #require(try await supervisor.broker(passwordFile: "/run/p"))
        #expect(
            broker == [
                "mqtt.url": "mqtt://core-mosquitto:1883", "mqtt.user": "addons", "mqtt.passwordFile": "/run/p",
            ])
        #expect(password == "a broker's password")
        peer.kill()
    }

    @Test("without a broker there are no settings, and without the home a reason")
    func refused() async throws {
        let peer = try peer("plain")
        let supervisor = supervisor(peer)
        #expect(try await supervisor.broker(passwordFile: "/run/p") == nil)
        await #expect(throws: ContainerFailure.self) { try await supervisor.home() }
        peer.kill()
        await #expect(throws: ContainerFailure.self) { try await supervisor.broker(passwordFile: "/run/p") }
    }

    @Test("a Supervisor that does not answer in time is a reason to go without it")
    func mute() async throws {
        let peer = try peer("mute")
        let supervisor = supervisor(peer, patience: .milliseconds(50))
        await #expect { try await supervisor.home() } throws: { "\($0)".contains("does not answer") }
        await #expect { try await supervisor.broker(passwordFile: "/run/p") } throws: {
            "\($0)".contains("does not answer")
        }
        peer.kill()
    }

    @Test("a user of the broker that is no text is a reason to go without it")
    func control() async throws {
        let peer = try peer("control")
        let supervisor = supervisor(peer)
        await #expect(throws: ContainerFailure.self) { try await supervisor.broker(passwordFile: "/run/p") }
        peer.kill()
    }

    @Test("every app listens through Home Assistant only, and is shown in its ingress only")
    func app() {
        let settings = Supervisor(token: "x").settings(tokenFile: "/run/t")
        #expect(settings["radio.backend"] == "none" && settings["display.gateway"] == "172.30.32.2")
        #expect(settings["receivers"]?.contains("/run/t") == true)
    }
}
