/// The battery of a beacon, by its name on the shelf.
public enum BeaconBattery: String, Codable, CaseIterable, Hashable, Sendable {
    case cr2032 = "CR2032"
    case cr2450 = "CR2450"
    case cr2477 = "CR2477"
    case aaa = "AAA"
    case aa = "AA"
    case other
}

/// What an owner wants to be reminded of; private to the owner.
public struct BikeUpkeep: Codable, Hashable, Sendable {
    /// When the next inspection (MOT) is due.
    public var inspectionDue: CalendarDate?
    public var insuranceEnds: CalendarDate?
    public var taxDue: CalendarDate?
    public var breakdownCoverEnds: CalendarDate?
    /// The number to call, or the policy's, at most 64 characters.
    public var breakdownCoverNumber: String?
    /// The battery in the beacon.
    public var battery: BeaconBattery?
    public var batteryFitted: CalendarDate?
    /// How long the battery lasts, where the owner knows better than its type tells: 1…120 months.
    public var batteryMonths: Int?

    public init(
        inspectionDue: CalendarDate? = nil, insuranceEnds: CalendarDate? = nil, taxDue: CalendarDate? = nil,
        breakdownCoverEnds: CalendarDate? = nil, breakdownCoverNumber: String? = nil, battery: BeaconBattery? = nil,
        batteryFitted: CalendarDate? = nil, batteryMonths: Int? = nil
    ) {
        self.inspectionDue = inspectionDue
        self.insuranceEnds = insuranceEnds
        self.taxDue = taxDue
        self.breakdownCoverEnds = breakdownCoverEnds
        self.breakdownCoverNumber = breakdownCoverNumber
        self.battery = battery
        self.batteryFitted = batteryFitted
        self.batteryMonths = batteryMonths
    }

    /// nil where it says nothing.
    public var ifAny: BikeUpkeep? { self == BikeUpkeep() ? nil : self }
}

/// Changes of ``BikeUpkeep`` in a merge patch (RFC 7396).
public struct BikeUpkeepPatch: Hashable, Sendable {
    public var inspectionDue: Change<CalendarDate>
    public var insuranceEnds: Change<CalendarDate>
    public var taxDue: Change<CalendarDate>
    public var breakdownCoverEnds: Change<CalendarDate>
    public var breakdownCoverNumber: Change<String>
    public var battery: Change<BeaconBattery>
    public var batteryFitted: Change<CalendarDate>
    public var batteryMonths: Change<Int>

    public init(
        inspectionDue: Change<CalendarDate> = .keep, insuranceEnds: Change<CalendarDate> = .keep,
        taxDue: Change<CalendarDate> = .keep, breakdownCoverEnds: Change<CalendarDate> = .keep,
        breakdownCoverNumber: Change<String> = .keep, battery: Change<BeaconBattery> = .keep,
        batteryFitted: Change<CalendarDate> = .keep, batteryMonths: Change<Int> = .keep
    ) {
        self.inspectionDue = inspectionDue
        self.insuranceEnds = insuranceEnds
        self.taxDue = taxDue
        self.breakdownCoverEnds = breakdownCoverEnds
        self.breakdownCoverNumber = breakdownCoverNumber
        self.battery = battery
        self.batteryFitted = batteryFitted
        self.batteryMonths = batteryMonths
    }

    func applied(to upkeep: BikeUpkeep) -> BikeUpkeep {
        BikeUpkeep(
            inspectionDue: inspectionDue.applied(to: upkeep.inspectionDue),
            insuranceEnds: insuranceEnds.applied(to: upkeep.insuranceEnds), taxDue: taxDue.applied(to: upkeep.taxDue),
            breakdownCoverEnds: breakdownCoverEnds.applied(to: upkeep.breakdownCoverEnds),
            breakdownCoverNumber: breakdownCoverNumber.applied(to: upkeep.breakdownCoverNumber),
            battery: battery.applied(to: upkeep.battery),
            batteryFitted: batteryFitted.applied(to: upkeep.batteryFitted),
            batteryMonths: batteryMonths.applied(to: upkeep.batteryMonths)
        )
    }
}

extension Change where Value == BikeUpkeepPatch {
    /// The details after a patch of some of them.
    func applied(to upkeep: BikeUpkeep?) -> BikeUpkeep? {
        switch self {
        case .keep: upkeep
        case .remove: nil
        case .set(let patch): patch.applied(to: upkeep ?? BikeUpkeep()).ifAny
        }
    }
}

extension BikeUpkeepPatch: Encodable {
    private enum CodingKeys: CodingKey {
        case inspectionDue, insuranceEnds, taxDue, breakdownCoverEnds, breakdownCoverNumber, battery, batteryFitted,
            batteryMonths
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(inspectionDue, forKey: .inspectionDue)
        try container.encode(insuranceEnds, forKey: .insuranceEnds)
        try container.encode(taxDue, forKey: .taxDue)
        try container.encode(breakdownCoverEnds, forKey: .breakdownCoverEnds)
        try container.encode(breakdownCoverNumber, forKey: .breakdownCoverNumber)
        try container.encode(battery, forKey: .battery)
        try container.encode(batteryFitted, forKey: .batteryFitted)
        try container.encode(batteryMonths, forKey: .batteryMonths)
    }
}
