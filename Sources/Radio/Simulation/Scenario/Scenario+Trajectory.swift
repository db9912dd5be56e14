extension ScenarioField {
    /// A distance in metres along one axis from the station.
    func metres() throws(ScenarioError) -> Double {
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
    /// The trajectory: `position` for a beacon that never moves, or `path` and optionally `stays` for one that does.
    func trajectory(duration: Duration) throws(ScenarioError) -> Trajectory {
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
