import Beacons
import Monitor
import Scanning
import Testing

/// A radio that stalls at night must be helped; a healthy one must be left alone.
@Suite struct WatchdogLadderTests {
    private func at(_ seconds: Int) -> ScanInstant { ScanInstant(nanoseconds: Int64(seconds) * 1_000_000_000) }

    /// The actions and their seconds until the end or exit. `lastReport` gives the latest report known in a second.
    private func actions(
        until end: Int, steps: [RecoveryStep] = RecoveryStep.allCases,
        configuration: WatchdogLadder.Configuration = .init(), lastReport: (Int) -> Int?
    ) -> [String] {
        var ladder = WatchdogLadder(configuration, start: at(0))
        var actions: [String] = []
        for second in 0...end {
            switch ladder.advance(to: at(second), lastReport: lastReport(second).map(at), steps: steps) {
            case .take(let step): actions.append("\(second) \(step.rawValue)")
            case .exit: return actions + ["\(second) exit"]
            case nil: continue
            }
        }
        return actions
    }

    @Test("silence goes through all steps, with waits that double, and ends in giving up")
    func wholeLadder() {
        #expect(
            actions(until: 600) { _ in nil } == [
                "90 restartScan", "120 powerCycle", "180 reset", "300 reopen", "540 exit",
            ]
        )
    }

    @Test(
        "steps that the scanner lacks are skipped without a wait",
        arguments: [
            ([.restartScan, .reopen], ["90 restartScan", "120 reopen", "180 exit"]),
            ([.reopen], ["90 reopen", "120 exit"]),
            ([], ["90 exit"]), ([.reset, .restartScan], ["90 restartScan", "120 reset", "180 exit"]),
        ] as [([RecoveryStep], [String])]
    )
    func lacking(steps: [RecoveryStep], expected: [String]) {
        #expect(actions(until: 200, steps: steps) { _ in nil } == expected)
    }

    @Test("a radio that hears something every 89 seconds is left alone")
    func alive() {
        #expect(actions(until: 2000) { $0 / 89 * 89 } == [])
    }

    @Test("once something is heard, the steps start over")
    func revived() {
        #expect(
            actions(until: 400) { $0 < 130 ? nil : 130 } == [
                "90 restartScan", "120 powerCycle", "220 restartScan", "250 powerCycle", "310 reset",
            ]
        )
    }

    @Test("the allowed silence is configurable")
    func configured() {
        let configuration = WatchdogLadder.Configuration(quiet: .seconds(10), firstWait: .seconds(2))
        #expect(
            actions(until: 60, configuration: configuration) { _ in nil } == [
                "10 restartScan", "12 powerCycle", "16 reset", "24 reopen", "40 exit",
            ]
        )
    }

    @Test("a report from before the start is ignored")
    func oldReport() {
        #expect(actions(until: 100) { _ in -50 } == ["90 restartScan"])
    }
}
