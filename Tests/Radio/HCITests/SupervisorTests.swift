import Beacons
import Testing

@testable import HCI

/// A scan that another program switched off must resume, without a fight over the controller.
@Suite struct SupervisorTests {
    private func at(_ seconds: Int) -> ScanInstant { ScanInstant(nanoseconds: Int64(seconds) * 1_000_000_000) }

    /// The seconds at which the scan is restarted; `event` simulates each second.
    private func restarts(until end: Int, _ event: (Int, inout ScanSupervisor) -> Void) -> [Int] {
        var supervisor = ScanSupervisor()
        supervisor.began(at: at(0))
        var restarts: [Int] = []
        for second in 0...end {
            event(second, &supervisor)
            if supervisor.restart(at: at(second)) != nil {
                restarts.append(second)
                supervisor.began(at: at(second))
            }
        }
        return restarts
    }

    @Test("an interrupted scan is restarted a second later, once")
    func interrupted() {
        #expect(
            restarts(until: 29) { second, supervisor in
                if second == 10 { (0..<3).forEach { _ in supervisor.interrupted(at: at(10)) } }
            } == [11]
        )
    }

    @Test("repeated interruptions by a program lengthen the wait, up to a minute")
    func repeated() {
        let restarts = restarts(until: 300) { second, supervisor in
            supervisor.heard(at: at(second))
            supervisor.interrupted(at: at(second))
        }
        #expect(restarts == [1, 4, 9, 18, 35, 68, 129, 190, 251])
    }

    @Test("after five minutes without interruptions the waits are short again")
    func peace() {
        #expect(
            restarts(until: 700) { second, supervisor in
                supervisor.heard(at: at(second))
                if [10, 20, 400].contains(second) { supervisor.interrupted(at: at(second)) }
            } == [11, 22, 401]
        )
    }

    @Test("silence restarts the scan, less and less often, until something is heard")
    func silence() {
        #expect(restarts(until: 1000) { _, _ in } == [30, 90, 210, 450, 750])
        #expect(
            restarts(until: 300) { second, supervisor in
                if second == 100 { supervisor.heard(at: at(100)) }
            } == [30, 90, 130, 190]
        )
    }

    @Test("without a scan of ours, nothing is restarted")
    func ended() {
        #expect(
            restarts(until: 500) { second, supervisor in
                if second == 5 { supervisor.ended() }
                supervisor.interrupted(at: at(second))
                supervisor.heard(at: at(second))
            } == [1, 4]
        )
    }
}
