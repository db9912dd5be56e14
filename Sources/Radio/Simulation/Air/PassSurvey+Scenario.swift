extension PassSurvey {
    /// The same passes as a scenario of the monitor’s own simulation: beacons that pass the station one after the other on a
    /// straight line.
    ///
    /// - Parameters:
    ///   - offset: the shortest distance to the station in metres, 0 to 1,000.
    ///   - speed: in metres a second, 0.1 to 100.
    ///   - passes: 1 to 1,000.
    public func scenario(offset: Double, speed: Double, passes: Int, seed: UInt64) throws(ScenarioError) -> Scenario {
        let half = 2 * reach
        let time = Int(2000 * half / speed)
        return try Scenario(
            yaml: """
                name: passes
                seed: \(seed)
                duration: \(passes + time / 1000 + 10)s
                beacons:
                  - name: bike
                    identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:1000
                    measuredPower: \(measuredPower)
                    interval: \(Int(interval / .milliseconds(1)))ms
                    missing: true
                    path:
                      - { at: 0s, x: \(-half), y: \(offset) }
                      - { at: \(time)ms, x: \(half), y: \(offset) }
                    copies: { count: \(passes), later: 1s }
                """, source: "passes")
    }
}
