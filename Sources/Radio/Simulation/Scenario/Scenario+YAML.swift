import Beacons

extension Scenario {
    /// Parses a scenario from YAML text; `source` is its name in errors.
    ///
    /// Parsing is strict: an unknown key, an invalid value or a missing key is an error.
    ///
    /// - Throws: ``ScenarioError``.
    public init(yaml: String, source: String) throws(ScenarioError) {
        let top = try ScenarioField(yaml: yaml, source: source).object(allowing: [
            "name", "description", "seed", "duration", "start", "environment", "beacons", "ambient", "network",
        ])
        let duration = try top.required("duration").duration(in: .seconds(1) ... .seconds(31 * 86_400))
        let start = try top["start"]?.start() ?? Self.defaultStart
        self.init(
            name: try top.required("name").text(limit: 64),
            description: try top["description"]?.text(limit: 2000) ?? "",
            seed: try top["seed"]?.integer(in: 0...UInt64.max) ?? 1,
            duration: duration,
            start: start,
            environment: try top["environment"]?.environment() ?? Environment(),
            beacons: try top["beacons"]?.beacons(from: start, duration: duration) ?? [],
            ambient: try top["ambient"]?.ambient(),
            network: try top["network"]?.network(from: start, duration: duration) ?? []
        )
    }
}

extension ScenarioField {
    /// The start in whole seconds since the Unix epoch, up to the year 2100.
    fileprivate func start() throws(ScenarioError) -> ScanInstant {
        let seconds: Int64 = try integer(in: 0...4_102_444_800)
        return ScanInstant(nanoseconds: seconds * 1_000_000_000)
    }

    fileprivate func environment() throws(ScenarioError) -> Scenario.Environment {
        let object = try object(allowing: [
            "pathLossExponent", "shadowingSigma", "shadowingCorrelation", "sensitivity", "packetLoss",
        ])
        var environment = Scenario.Environment()
        if let field = object["pathLossExponent"] {
            environment.pathLossExponent = try field.number(in: 1...6, unit: "")
        }
        if let field = object["shadowingSigma"] {
            environment.shadowingSigma = try field.number(in: 0...20, unit: " dB")
        }
        if let field = object["shadowingCorrelation"] {
            environment.shadowingCorrelation = try field.duration(in: .zero ... .seconds(3600))
        }
        if let field = object["sensitivity"] {
            environment.sensitivity = try field.number(in: -127...0, unit: " dBm")
        }
        if let field = object["packetLoss"] {
            environment.packetLoss = try field.number(in: 0...1, unit: "")
        }
        return environment
    }

    fileprivate func ambient() throws(ScenarioError) -> Scenario.Ambient {
        let object = try object(allowing: ["rate", "devices", "fakeIBeacons"])
        return Scenario.Ambient(
            rate: try object.required("rate").number(in: 0.01...10_000, unit: " advertisements per second"),
            devices: try object.required("devices").integer(in: 1...1_000_000),
            fakeIBeacons: try object["fakeIBeacons"]?.number(in: 0...1, unit: "") ?? 0.01
        )
    }
}
