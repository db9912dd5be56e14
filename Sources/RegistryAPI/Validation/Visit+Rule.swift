import Beacons

extension Visit {
    /// The rule for one visit of a batch; whether its times are acceptable depends on the clock and is checked later.
    static var rule: FieldRule<Visit> {
        .object("an object that describes a visit") { fields in
            let id = fields.required("id", FieldRule<VisitID>.id())
            let stay = fields.required("stay", FieldRule<StayID>.id())
            let identity = fields.required("identity", .identity)
            let firstSeen = fields.required("firstSeen", .timestamp)
            let lastSeen = fields.required("lastSeen", .timestamp)
            let count = fields.required("count", FieldRule<Int64>.integer(1...1 << 53))
            let rssi = fields.optional("rssi", .signalStrength)
            let measuredPower = fields.required("measuredPower", .integer(-127...20))
            let proximity = fields.required("proximity", FieldRule<Proximity>.choice)
            let place = fields.optional("place", .place)
            let ended = fields.required("ended", .boolean)
            let timeUncertain = fields.optional("timeUncertain", .boolean)
            let secondsAgo = fields.optional("secondsAgo", .number(0...2_592_000, "seconds"))
            guard let id, let stay, let identity, let firstSeen, let lastSeen, let count, let measuredPower,
                let proximity,
                let ended
            else { return nil }
            return Visit(
                id: id, stay: stay, identity: identity, firstSeen: firstSeen, lastSeen: lastSeen, count: count,
                rssi: rssi, measuredPower: measuredPower, proximity: proximity, place: place, ended: ended,
                timeUncertain: timeUncertain, secondsAgo: secondsAgo
            )
        }
    }
}

extension FieldRule where Value == SignalStrength {
    /// dBm; the weaker signal first.
    fileprivate static var signalStrength: FieldRule {
        object("an object with min and max") { fields in
            let min = fields.required("min", .integer(-127...20))
            let max = fields.required("max", .integer(-127...20))
            guard let min, let max else { return nil }
            if min > max { fields.refuse("min", "must not exceed max") }
            return SignalStrength(min: min, max: max)
        }
    }
}
