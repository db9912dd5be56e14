import Beacons

extension ScenarioField {
    func beacons(from start: ScanInstant, duration: Duration) throws(ScenarioError) -> [Scenario.Beacon] {
        var beacons: [Scenario.Beacon] = []
        var names: Set<String> = []
        for entry in try list(limit: Self.beaconLimit) {
            for beacon in try entry.copies(of: try entry.beacon(from: start, duration: duration)) {
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

    private static let beaconLimit = 1000

    /// A beacon and its copies: `copies` beacons with increasing minors, each later and further east than the one
    /// before.
    private func copies(of beacon: Scenario.Beacon) throws(ScenarioError) -> [Scenario.Beacon] {
        guard let copies = try object(allowing: Self.beaconKeys)["copies"] else { return [beacon] }
        let object = try copies.object(allowing: ["count", "later", "east"])
        let count = try object.required("count").integer(in: 2...1000) as Int
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

    private static let beaconKeys = [
        "name", "identity", "measuredPower", "interval", "jitter", "missing", "addressRotation", "position", "path",
        "stays", "copies", "rotating",
    ]

    private func beacon(from start: ScanInstant, duration: Duration) throws(ScenarioError) -> Scenario.Beacon {
        let object = try object(allowing: Self.beaconKeys)
        if let rotating = object["rotating"] {
            return try object.rotatingBeacon(try rotating.rotation(from: start, duration: duration), duration: duration)
        }
        return Scenario.Beacon(
            name: try object.required("name").text(limit: 64),
            identity: try object.required("identity").identity(),
            measuredPower: try object.required("measuredPower").integer(in: -127...20),
            interval: try object.required("interval").duration(in: .milliseconds(20) ... .milliseconds(10_240)),
            jitter: try object["jitter"]?.duration(in: .zero ... .seconds(1)) ?? .milliseconds(10),
            isMissing: try object["missing"]?.bool() ?? false,
            addressRotation: try object["addressRotation"]?.duration(in: .seconds(1) ... .seconds(86_400)),
            trajectory: try object.trajectory(duration: duration)
        )
    }

    /// A distance in metres along one axis from the station.
    fileprivate func metres() throws(ScenarioError) -> Double {
        try number(in: -100_000...100_000, unit: " m")
    }

    fileprivate func waypoint(duration: Duration) throws(ScenarioError) -> Trajectory.Waypoint {
        let object = try object(allowing: ["at", "x", "y"])
        return Trajectory.Waypoint(
            at: try object.required("at").duration(in: .zero...duration),
            x: try object.required("x").metres(),
            y: try object.required("y").metres()
        )
    }
}

extension ScenarioObject {
    /// A rotating beacon: power and interval are by default those of all rotating beacons.
    fileprivate func rotatingBeacon(
        _ rotation: Scenario.Rotation, duration: Duration
    ) throws(ScenarioError) -> Scenario.Beacon {
        for key in ["identity", "addressRotation", "copies"] {
            if let field = self[key] { throw field.error("a rotating beacon has no ‘\(key)’: remove it") }
        }
        return Scenario.Beacon(
            name: try required("name").text(limit: 64),
            identity: BeaconIdentity(uuid: ProximityUUID(high: 0, low: 0), major: 0, minor: 0),
            measuredPower: try self["measuredPower"]?.integer(in: -127...20) ?? RotatingBeaconKey.measuredPower,
            interval: try self["interval"]?.duration(in: .milliseconds(20) ... .milliseconds(10_240))
                ?? .milliseconds(RotatingBeaconKey.advertisingInterval),
            jitter: try self["jitter"]?.duration(in: .zero ... .seconds(1)) ?? .milliseconds(10),
            isMissing: try self["missing"]?.bool() ?? false,
            addressRotation: nil,
            trajectory: try trajectory(duration: duration)
        ).rotating(rotation)
    }
}

extension Scenario.Beacon {
    /// The same beacon with another minor and trajectory.
    fileprivate func copy(_ number: Int, minor: UInt16, _ trajectory: Trajectory) -> Scenario.Beacon {
        Scenario.Beacon(
            name: "\(name) \(number)",
            identity: BeaconIdentity(uuid: identity.uuid, major: identity.major, minor: minor),
            measuredPower: measuredPower,
            interval: interval,
            jitter: jitter,
            isMissing: isMissing,
            addressRotation: addressRotation,
            trajectory: trajectory
        )
    }
}

extension ScenarioObject {
    /// The trajectory: `position` for a beacon that never moves, or `path` and optionally `stays` for one that does.
    fileprivate func trajectory(duration: Duration) throws(ScenarioError) -> Trajectory {
        switch (self["position"], self["path"]) {
        case (let position?, nil):
            guard self["stays"] == nil else {
                throw field.error("‘stays’ belongs to a path: remove it, a position is kept for the whole scenario")
            }
            return try fixed(position, duration: duration)
        case (nil, let path?):
            return try moving(path, duration: duration)
        default:
            throw field.error("give either ‘position’ (x, y) or ‘path’ (a list of at, x, y)")
        }
    }

    private func fixed(_ position: ScenarioField, duration: Duration) throws(ScenarioError) -> Trajectory {
        let object = try position.object(allowing: ["x", "y"])
        let (x, y) = (try object.required("x").metres(), try object.required("y").metres())
        return try made([Trajectory.Waypoint(at: .zero, x: x, y: y)], until: duration, from: position)
    }

    private func moving(_ path: ScenarioField, duration: Duration) throws(ScenarioError) -> Trajectory {
        let stays = try self["stays"]?.bool() ?? false
        var waypoints: [Trajectory.Waypoint] = []
        for entry in try path.list(limit: 10_000) {
            let waypoint = try entry.waypoint(duration: duration)
            if let before = waypoints.last, before.at >= waypoint.at {
                throw entry.error("‘at’ must be later than that of the waypoint before")
            }
            waypoints.append(waypoint)
        }
        guard stays || waypoints.count > 1 else {
            throw path.error("one waypoint is only an instant: add another, or ‘stays: true’")
        }
        return try made(waypoints, until: stays ? duration : nil, from: path)
    }

    private func made(
        _ waypoints: [Trajectory.Waypoint], until end: Duration?, from origin: ScenarioField
    ) throws(ScenarioError) -> Trajectory {
        guard let trajectory = Trajectory(waypoints: waypoints, until: end) else {
            throw origin.error("waypoints must be in order of time")
        }
        return trajectory
    }
}
