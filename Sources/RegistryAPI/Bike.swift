public import Beacons

public enum BikeKind: String, Codable, CaseIterable, Hashable, Sendable {
    case motorbike, scooter, bicycle, other
}

/// The colours that a bike can have.
public enum BikeColour: String, Codable, CaseIterable, Hashable, Sendable {
    case black, white, grey, silver, red, green, blue, teal, yellow, gold, orange, brown, pink, purple, other
}

/// Body of `POST /v1/bikes`.
public struct BikeDraft: Codable, Hashable, Sendable {
    public var kind: BikeKind
    /// 1–64 characters.
    public var make: String
    /// 1–64 characters.
    public var model: String
    /// 1–3 colours, the main one first, none twice.
    public var colours: [BikeColour]
    /// 1885…next year.
    public var year: Int?
    /// Frame or serial number, at most 64 characters; private to the owner, like all that follow.
    public var serial: String?
    /// Vehicle identification number, at most 64 characters.
    public var vin: String?
    /// Licence plate, at most 64 characters.
    public var plate: String?
    /// At most 500 characters.
    public var notes: String?
    /// Dates that the owner is reminded of.
    public var upkeep: BikeUpkeep?
    /// The identity of a beacon from outside the network region, where the operator allows it; its owner has to prove it
    /// (``Bike/pending``). Absent, the registry allocates one.
    public var identity: BeaconIdentity?

    public init(
        kind: BikeKind,
        make: String,
        model: String,
        colours: [BikeColour],
        year: Int? = nil,
        serial: String? = nil,
        vin: String? = nil,
        plate: String? = nil,
        notes: String? = nil,
        upkeep: BikeUpkeep? = nil,
        identity: BeaconIdentity? = nil
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
        self.identity = identity
    }
}

/// A bike as its owner sees it.
public struct Bike: Codable, Hashable, Sendable {
    public var id: BikeID
    public var kind: BikeKind
    public var make: String
    public var model: String
    public var colours: [BikeColour]
    public var year: Int?
    public var serial: String?
    public var vin: String?
    public var plate: String?
    public var notes: String?
    public var upkeep: BikeUpkeep?
    /// What the bike's beacon is to send.
    public var identity: BeaconIdentity
    /// What is left to prove of a beacon with a given identity; absent where nothing is.
    public var pending: PendingBeacon?
    /// The open missing report, absent while the bike is not missing.
    public var openReport: ReportID?
    public var created: Timestamp

    public init(
        id: BikeID, details: BikeDraft, identity: BeaconIdentity, pending: PendingBeacon? = nil, openReport: ReportID?,
        created: Timestamp
    ) {
        self.id = id
        kind = details.kind
        make = details.make
        model = details.model
        colours = details.colours
        year = details.year
        serial = details.serial
        vin = details.vin
        plate = details.plate
        notes = details.notes
        upkeep = details.upkeep?.ifAny
        self.identity = identity
        self.pending = pending
        self.openReport = openReport
        self.created = created
    }
}

/// What to look for: told to a station's staff with the answer to a visit.
public struct BikeAppearance: Codable, Hashable, Sendable {
    public var kind: BikeKind
    public var make: String
    public var model: String
    public var colours: [BikeColour]

    public init(kind: BikeKind, make: String, model: String, colours: [BikeColour]) {
        self.kind = kind
        self.make = make
        self.model = model
        self.colours = colours
    }
}
