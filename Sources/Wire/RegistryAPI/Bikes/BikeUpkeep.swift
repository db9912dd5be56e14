/// The battery type of a beacon, by its trade name.
public enum BeaconBattery: String, Codable, CaseIterable, Hashable, Sendable {
    case cr2032 = "CR2032"
    case cr2450 = "CR2450"
    case cr2477 = "CR2477"
    case aaa = "AAA"
    case aa = "AA"
    case other
}

/// The dates for an owner's reminders; private to the owner.
public struct BikeUpkeep: Codable, Hashable, Sendable {
    /// The due date of the next inspection (MOT).
    public var inspectionDue: CalendarDate?
    public var insuranceEnds: CalendarDate?
    public var taxDue: CalendarDate?
    public var breakdownCoverEnds: CalendarDate?
    /// The phone number or policy number, at most 64 characters.
    public var breakdownCoverNumber: String?
    /// The battery in the beacon.
    public var battery: BeaconBattery?
    public var batteryFitted: CalendarDate?
    /// The life of the battery, if the owner knows it better than the default of its type: 1…120 months.
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

    /// The value; nil if all fields are absent.
    public var ifAny: BikeUpkeep? { self == BikeUpkeep() ? nil : self }
}

extension BikeUpkeep: WireObject {
    public static let blank = BikeUpkeep()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("inspectionDue", &inspectionDue, .calendarDate)
        fields.optional("insuranceEnds", &insuranceEnds, .calendarDate)
        fields.optional("taxDue", &taxDue, .calendarDate)
        fields.optional("breakdownCoverEnds", &breakdownCoverEnds, .calendarDate)
        fields.optional("breakdownCoverNumber", &breakdownCoverNumber, .text(0...64))
        fields.optional("battery", &battery, .choice())
        fields.optional("batteryFitted", &batteryFitted, .calendarDate)
        fields.optional("batteryMonths", &batteryMonths, .integer(1...120))
    }
}
