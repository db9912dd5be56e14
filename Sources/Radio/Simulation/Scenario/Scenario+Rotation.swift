public import Beacons

extension Scenario {
    /// The transmissions of a rotating beacon, or of an imitation: the profile “rot 1” with an imperfect clock.
    public struct Rotation: Hashable, Sendable {
        /// A change of the battery.
        public struct Battery: Hashable, Sendable {
            /// When the old one is taken out, since the scenario's start.
            public let at: Duration
            /// How long the beacon has no power, up to a year.
            public let without: Duration
        }

        public let key: RotatingBeaconKey
        /// How late the beacon's clock is at the scenario's start, up to ten years.
        public let lag: Duration
        /// The error of the clock's rate in parts per million, −500…500; a negative one is slow.
        public let drift: Double
        /// Changes of the battery, at most 100, in order.
        public let batteries: [Battery]
        /// For a replay: the frame that the beacon sends at this time is always repeated. Nil for a beacon, or for a
        /// relay, which sends what the beacon sends at the same time elsewhere.
        public let recorded: Duration?
        /// The true time of the scenario's start, in seconds since 1970.
        public internal(set) var start: Int64

        /// The slot at a time since the scenario's start; nil without power.
        func slot(at nanoseconds: Int64) -> RotatingSlot? {
            let (seconds, isPowered) = clock(at: (recorded ?? .nanoseconds(nanoseconds)).seconds)
            return isPowered ? Self.slot(seconds) : nil
        }

        /// The slots from the scenario's start until a time.
        func slots(until end: Duration) -> ClosedRange<RotatingSlot>? {
            guard let first = Self.slot(clock(at: recorded?.seconds ?? 0).seconds),
                let last = Self.slot(clock(at: (recorded ?? end).seconds).seconds), first <= last
            else { return nil }
            return first...last
        }

        /// The beacon's clock in seconds since 1970. After a change of the battery it continues with the next slot, as
        /// the reference firmware does.
        private func clock(at time: Double) -> (seconds: Double, isPowered: Bool) {
            let rate = 1 + drift / 1e6
            var clock = Double(start) - lag.seconds
            var from = 0.0
            for battery in batteries where battery.at.seconds <= time {
                clock += (battery.at.seconds - from) * rate
                clock = ((clock / Double(RotatingSlot.seconds)).rounded(.down) + 1) * Double(RotatingSlot.seconds)
                from = battery.at.seconds + battery.without.seconds
                guard time >= from else { return (clock, false) }
            }
            return (clock + (time - from) * rate, true)
        }

        /// The slot at a time of the beacon's clock; nil if a clock never reaches it.
        private static func slot(_ seconds: Double) -> RotatingSlot? {
            Int64(exactly: seconds.rounded(.down)).flatMap { RotatingSlot(unixSeconds: $0) }
        }
    }

    /// The same scenario for rotating beacons that start at this time, in seconds since 1970: a registry knows only
    /// current identities.
    public func dated(_ seconds: Int64) -> Scenario {
        var scenario = self
        scenario.beacons = beacons.map { beacon in
            guard var rotation = beacon.rotation else { return beacon }
            rotation.start = seconds
            return beacon.rotating(rotation)
        }
        return scenario
    }

    /// Maps each identity that a rotating beacon sends during the scenario to the identity that ``truth`` has for the
    /// beacon.
    public var rotatingIdentities: [BeaconIdentity: BeaconIdentity] {
        var names: [BeaconIdentity: BeaconIdentity] = [:]
        for beacon in beacons {
            guard let rotation = beacon.rotation, let slots = rotation.slots(until: duration) else { continue }
            for identity in rotation.key.identities(in: slots) { names[identity] = beacon.identity }
        }
        return names
    }
}

extension Scenario.Beacon {
    /// The same beacon with another rotation. All beacons with the same key have the same identity in the truth.
    func rotating(_ rotation: Scenario.Rotation) -> Scenario.Beacon {
        let slot = RotatingSlot(unixSeconds: rotation.start) ?? RotatingSlot.all.upperBound
        var beacon = self
        beacon.identity = rotation.key.identity(at: slot)
        beacon.addressRotation = nil
        beacon.rotation = rotation
        return beacon
    }
}

extension ScenarioField {
    /// The mapping `rotating` of a beacon in a scenario file.
    func rotation(from start: ScanInstant, duration: Duration) throws(ScenarioError) -> Scenario.Rotation {
        let object = try object(allowing: ["key", "lag", "drift", "batteries", "recorded"])
        let keyField = try object.required("key")
        guard let key = RotatingBeaconKey(hexadecimal: try keyField.text(limit: 64)) else {
            throw keyField.error("write 32 hexadecimal digits, not all 0, in quotes")
        }
        var batteries: [Scenario.Rotation.Battery] = []
        for entry in try object["batteries"]?.list(limit: 100) ?? [] {
            let battery = try entry.battery(duration: duration)
            if let before = batteries.last, before.at + before.without > battery.at {
                throw entry.error("‘at’ must be later than the end of the change above")
            }
            batteries.append(battery)
        }
        return Scenario.Rotation(
            key: key,
            lag: try object["lag"]?.duration(in: .zero ... .seconds(3650 * 86_400)) ?? .zero,
            drift: try object["drift"]?.number(in: -500...500, unit: " parts per million") ?? 0,
            batteries: batteries,
            recorded: try object["recorded"]?.duration(in: .zero...duration),
            start: start.nanoseconds / 1_000_000_000
        )
    }

    private func battery(duration: Duration) throws(ScenarioError) -> Scenario.Rotation.Battery {
        let object = try object(allowing: ["at", "without"])
        return Scenario.Rotation.Battery(
            at: try object.required("at").duration(in: .milliseconds(1)...duration),
            without: try object.required("without").duration(in: .zero ... .seconds(365 * 86_400)))
    }
}
