import Beacons

extension ScenarioField {
    /// The beacons in the list `beacons` of a scenario file, with their copies.
    ///
    /// - Parameters:
    ///   - start: the scenario's start, which decides the identities of rotating beacons.
    ///   - duration: the scenario's duration.
    func beacons(from start: ScanInstant, duration: Duration) throws(ScenarioError) -> [Scenario.Beacon] {
        var beacons: [Scenario.Beacon] = []
        var names: Set<String> = []
        for entry in try list(limit: Self.beaconLimit) {
            let object = try entry.object(allowing: ScenarioObject.beaconKeys)
            for beacon in try object.copies(of: try object.beacon(from: start, duration: duration)) {
                guard names.insert(beacon.name).inserted else {
                    throw entry.error("the name ‘\(beacon.name)’ is used twice: give each beacon its own")
                }
                beacons.append(beacon)
            }
        }
        guard beacons.count <= Self.beaconLimit else {
            throw error("has \(beacons.count) beacons including copies: at most \(Self.beaconLimit) are allowed")
        }
        return beacons
    }

    fileprivate static let beaconLimit = 1000
}

extension ScenarioObject {
    fileprivate static let beaconKeys = [
        "name", "identity", "measuredPower", "interval", "jitter", "missing", "addressRotation", "position", "path",
        "stays", "copies", "rotating",
    ]

    /// The beacon that this entry describes, without its copies.
    fileprivate func beacon(from start: ScanInstant, duration: Duration) throws(ScenarioError) -> Scenario.Beacon {
        guard let rotating = self["rotating"] else { return try beacon(isRotating: false, duration: duration) }
        let rotation = try rotating.rotation(from: start, duration: duration)
        for key in ["identity", "addressRotation", "copies"] {
            if let field = self[key] { throw field.error("a rotating beacon has no ‘\(key)’: remove it") }
        }
        return try beacon(isRotating: true, duration: duration).rotating(rotation)
    }

    /// - Parameter isRotating: whether the identity is not needed, because the rotation replaces it, and power and
    ///   interval are by default those of all rotating beacons.
    private func beacon(isRotating: Bool, duration: Duration) throws(ScenarioError) -> Scenario.Beacon {
        func needed(_ key: String) throws(ScenarioError) -> ScenarioField? {
            guard isRotating else { return try required(key) }
            return self[key]
        }
        return Scenario.Beacon(
            name: try required("name").text(limit: 64),
            identity: try needed("identity")?.identity()
                ?? BeaconIdentity(uuid: ProximityUUID(high: 0, low: 0), major: 0, minor: 0),
            measuredPower: try needed("measuredPower")?.integer(in: -127...20) ?? RotatingBeaconKey.measuredPower,
            interval: try needed("interval")?.duration(in: .milliseconds(20) ... .milliseconds(10_240))
                ?? .milliseconds(RotatingBeaconKey.advertisingInterval),
            jitter: try self["jitter"]?.duration(in: .zero ... .seconds(1)) ?? .milliseconds(10),
            isMissing: try self["missing"]?.bool() ?? false,
            addressRotation: try self["addressRotation"]?.duration(in: .seconds(1) ... .seconds(86_400)),
            trajectory: try trajectory(duration: duration)
        )
    }

    /// The beacon, or instead of it as many copies as `copies` says, with increasing minors, each later and further east
    /// than the one before.
    fileprivate func copies(of beacon: Scenario.Beacon) throws(ScenarioError) -> [Scenario.Beacon] {
        guard let copies = self["copies"] else { return [beacon] }
        let object = try copies.object(allowing: ["count", "later", "east"])
        let count = try object.required("count").integer(in: 2...ScenarioField.beaconLimit)
        let later = try object["later"]?.duration(in: .zero ... .seconds(3600)) ?? .zero
        let east = try object["east"]?.metres() ?? 0
        var result: [Scenario.Beacon] = []
        for number in 0..<count {
            let minor = UInt16(exactly: Int(beacon.identity.minor) + number)
            let moved = beacon.trajectory.moved(later: later * number, east: east * Double(number))
            guard let minor, let moved else {
                throw copies.error("copy \(number + 1) exceeds the last minor or time: begin lower, or make fewer")
            }
            result.append(beacon.copy(number + 1, minor: minor, moved))
        }
        return result
    }
}

extension Scenario.Beacon {
    /// The same beacon with another minor and trajectory, and with a number after its name.
    fileprivate func copy(_ number: Int, minor: UInt16, _ trajectory: Trajectory) -> Scenario.Beacon {
        var beacon = self
        beacon.name = "\(name) \(number)"
        beacon.identity = BeaconIdentity(uuid: identity.uuid, major: identity.major, minor: minor)
        beacon.trajectory = trajectory
        return beacon
    }
}
