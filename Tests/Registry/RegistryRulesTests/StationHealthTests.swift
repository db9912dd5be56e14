import RegistryAPI
import RegistryTestSupport
import Testing

@testable import RegistryRules

@Suite("A station’s health in words")
struct StationHealthTests {
    private let time = HandClock().now

    private func health(
        age: Int = 60, state: String = "scanning", silent: Int? = 1, version: UInt64? = 7, listAge: Int? = 60
    ) -> StationHealth.State {
        let adapter = StationHeartbeat.AdapterHealth(name: "hci0", state: state, silentSeconds: silent)
        let last = Station.ReceivedHeartbeat(
            received: time.advanced(by: .seconds(-age)),
            heartbeat: StationHeartbeat(version: "1.0.0", adapters: [adapter], listVersion: version))
        return StationHealth(last, listAge: listAge, at: time).state
    }

    @Test("a station listens if it has reported lately, hears something and has a current list")
    func states() {
        #expect(StationHealth(nil, listAge: nil, at: time) == StationHealth(state: .starting))
        #expect(health() == .listening)
        #expect(health(listAge: nil) == .listening)
        #expect(health(age: 900) == .listening)
        #expect(health(age: 901) == .silent)
        #expect(health(state: "failed") == .deaf)
        #expect(health(silent: 900) == .deaf)
        // As the radios behind a Home Assistant that passes on nothing, after each attempt.
        #expect(health(silent: nil) == .deaf)
        #expect(health(version: nil) == .outdated)
        #expect(health(listAge: 3601) == .outdated)
        #expect(health(age: 901, state: "failed", version: nil) == .silent)
    }

    @Test("every view calls a station silent from the same moment on")
    func silence() {
        for age in [899, 900, 901] {
            let heartbeat = time.advanced(by: .seconds(-age))
            let state = Station.State(
                heartbeat: heartbeat, isDeaf: false, silentBefore: StationHealth.silentBefore(time))
            #expect((health(age: age) == .silent) == (state == .silent), "\(age)")
        }
    }

    @Test("one receiver that works is enough, and a monitor that reports none simulates its radio")
    func receivers() {
        func state(_ adapters: [StationHeartbeat.AdapterHealth]) -> StationHealth.State {
            let heartbeat = StationHeartbeat(version: "1.0.0", adapters: adapters, listVersion: 7)
            return StationHealth(.init(received: time, heartbeat: heartbeat), listAge: nil, at: time).state
        }
        #expect(state([]) == .listening)
        #expect(state([.init(name: "hci0", state: "failed"), .init(name: "hci1", state: "idle")]) == .deaf)
        #expect(
            state([.init(name: "hci0", state: "failed"), .init(name: "hci1", state: "scanning", silentSeconds: 3)])
                == .listening)
    }
}
