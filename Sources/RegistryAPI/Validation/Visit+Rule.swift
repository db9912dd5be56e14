import Beacons

extension Visit {
    /// The rule for one visit of a batch; whether its times are acceptable depends on the clock and is checked later.
    ///
    /// Whose visit it is, which beacon and when: a visit without these is invalid. Everything else comes from the air or
    /// adds to a sighting, so that a transmitter beside the bike could have its visits refused: what is absent or out of
    /// bounds there counts as unknown.
    static var rule: FieldRule<Visit> {
        .object("an object that describes a visit") { fields in
            let id = fields.required("id", FieldRule<VisitID>.id())
            let stay = fields.required("stay", FieldRule<StayID>.id())
            let identity = fields.required("identity", .identity)
            let firstSeen = fields.required("firstSeen", .timestamp)
            let lastSeen = fields.required("lastSeen", .timestamp)
            let count = fields.tolerated("count", FieldRule<Int64>.clamped(Visit.countBounds))
            let rssi = fields.tolerated("rssi", .signalStrength)
            let measuredPower = fields.tolerated("measuredPower", .power)
            let proximity = fields.tolerated("proximity", FieldRule<Proximity>.choice)
            let place = fields.tolerated("place", .place)
            let ended = fields.tolerated("ended", .boolean)
            let timeUncertain = fields.tolerated("timeUncertain", .boolean)
            let secondsAgo = fields.optional("secondsAgo", .number(0...2_592_000, "seconds"))
            let confirmation = fields.tolerated("confirmation", .confirmation)
            guard let id, let stay, let identity, let firstSeen, let lastSeen else { return nil }
            return Visit(
                id: id, stay: stay, identity: identity, firstSeen: firstSeen, lastSeen: lastSeen, count: count ?? 1,
                rssi: rssi, measuredPower: measuredPower ?? Visit.unknownPower, proximity: proximity ?? .unknown,
                place: place, ended: ended ?? false, timeUncertain: timeUncertain, secondsAgo: secondsAgo,
                confirmation: confirmation
            )
        }
    }
}

extension FieldRule where Value == Int {
    /// dBm.
    fileprivate static var power: FieldRule { FieldRule<Int64>.integer(SignalStrength.bounds).map(Int.init) }
}

extension FieldRule where Value == SignalStrength {
    /// dBm; the weaker signal first.
    fileprivate static var signalStrength: FieldRule {
        object("an object with min and max") { fields in
            let min = fields.required("min", .power)
            let max = fields.required("max", .power)
            guard let min, let max else { return nil }
            if min > max { fields.refuse("min", "must not exceed max") }
            return SignalStrength(min: min, max: max)
        }
    }
}

extension FieldRule where Value == VisitConfirmation {
    fileprivate static var confirmation: FieldRule {
        object("an object with answer and time") { fields in
            let answer = fields.required("answer", FieldRule<VisitConfirmation.Answer>.choice)
            let time = fields.required("time", .timestamp)
            guard let answer, let time else { return nil }
            return VisitConfirmation(answer: answer, time: time)
        }
    }
}
