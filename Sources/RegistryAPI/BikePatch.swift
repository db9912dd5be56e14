/// Body of `PATCH /v1/bikes/{id}`: a merge patch (RFC 7396). What every bike has can be changed, not removed.
public struct BikePatch: Hashable, Sendable {
    public var kind: BikeKind?
    public var make: String?
    public var model: String?
    public var colours: [BikeColour]?
    public var year: Change<Int>
    public var serial: Change<String>
    public var vin: Change<String>
    public var plate: Change<String>
    public var notes: Change<String>
    public var upkeep: Change<BikeUpkeepPatch>

    public init(
        kind: BikeKind? = nil, make: String? = nil, model: String? = nil, colours: [BikeColour]? = nil,
        year: Change<Int> = .keep, serial: Change<String> = .keep, vin: Change<String> = .keep,
        plate: Change<String> = .keep, notes: Change<String> = .keep, upkeep: Change<BikeUpkeepPatch> = .keep
    ) {
        self.kind = kind
        self.make = make
        self.model = model
        self.colours = colours
        self.year = year
        self.serial = serial
        self.vin = vin
        self.plate = plate
        self.notes = notes
        self.upkeep = upkeep
    }

    /// The bike with these changes.
    public func applied(to bike: Bike) -> Bike {
        var bike = bike
        bike.kind = kind ?? bike.kind
        bike.make = make ?? bike.make
        bike.model = model ?? bike.model
        bike.colours = colours ?? bike.colours
        bike.year = year.applied(to: bike.year)
        bike.serial = serial.applied(to: bike.serial)
        bike.vin = vin.applied(to: bike.vin)
        bike.plate = plate.applied(to: bike.plate)
        bike.notes = notes.applied(to: bike.notes)
        bike.upkeep = upkeep.applied(to: bike.upkeep)
        return bike
    }
}

extension BikePatch: Encodable {
    private enum CodingKeys: CodingKey {
        case kind, make, model, colours, year, serial, vin, plate, notes, upkeep
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(kind, forKey: .kind)
        try container.encodeIfPresent(make, forKey: .make)
        try container.encodeIfPresent(model, forKey: .model)
        try container.encodeIfPresent(colours, forKey: .colours)
        try container.encode(year, forKey: .year)
        try container.encode(serial, forKey: .serial)
        try container.encode(vin, forKey: .vin)
        try container.encode(plate, forKey: .plate)
        try container.encode(notes, forKey: .notes)
        try container.encode(upkeep, forKey: .upkeep)
    }
}
