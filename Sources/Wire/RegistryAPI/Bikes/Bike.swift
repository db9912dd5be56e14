public import Beacons

/// The kinds of bikes.
public enum BikeKind: String, Codable, CaseIterable, Hashable, Sendable {
    case motorbike, scooter, bicycle, other
}

/// The colours that a bike can have.
public enum BikeColour: String, Codable, CaseIterable, Hashable, Sendable {
    case black, white, grey, silver, red, green, blue, teal, yellow, gold, orange, brown, pink, purple, other
}

/// An owner's description of a bike: the body of `POST /v1/bikes`, and a part of ``Bike``.
public struct BikeDraft: Codable, Hashable, Sendable {
    public var kind: BikeKind
    /// The make, 1–64 characters.
    public var make: String
    /// The model, 1–64 characters.
    public var model: String
    /// 1–3 different colours, the main one first.
    public var colours: [BikeColour]
    /// 1885…next year.
    public var year: Int?
    /// Frame or serial number, at most 64 characters; private to the owner, like all fields below.
    public var serial: String?
    /// Vehicle identification number, at most 64 characters.
    public var vin: String?
    /// Engine number, at most 64 characters.
    public var engineNumber: String?
    /// Licence plate, at most 64 characters.
    public var plate: String?
    /// Whether anyone who knows the serial number or the VIN can check while the bike is missing that it is; absent means
    /// no.
    public var buyerCheck: Bool?
    /// The notes, at most 500 characters.
    public var notes: String?
    /// The dates for the owner's reminders.
    public var upkeep: BikeUpkeep?
    /// The identity of a beacon from outside the network region, if the operator allows these; its owner must prove it
    /// (``Bike/pending``). If it is absent, the registry allocates one.
    public var identity: BeaconIdentity?
    /// Whether the bike gets a rotating beacon (profile “rot 1”), for which the registry makes a key; absent means no.
    public var rotating: Bool?

    /// Whether buyers can check the bike's numbers.
    public var allowsBuyerCheck: Bool { buyerCheck == true }

    public init(
        kind: BikeKind,
        make: String,
        model: String,
        colours: [BikeColour],
        year: Int? = nil,
        serial: String? = nil,
        vin: String? = nil,
        engineNumber: String? = nil,
        plate: String? = nil,
        buyerCheck: Bool? = nil,
        notes: String? = nil,
        upkeep: BikeUpkeep? = nil,
        identity: BeaconIdentity? = nil,
        rotating: Bool? = nil
    ) {
        self.kind = kind
        self.make = make
        self.model = model
        self.colours = colours
        self.year = year
        self.serial = serial
        self.vin = vin
        self.engineNumber = engineNumber
        self.plate = plate
        self.buyerCheck = buyerCheck
        self.notes = notes
        self.upkeep = upkeep
        self.identity = identity
        self.rotating = rotating
    }
}

/// A bike as its owner sees it.
@dynamicMemberLookup
public struct Bike: Hashable, Sendable {
    public var id: BikeID
    /// The owner's description. The bike's current identity is ``identity``.
    public private(set) var details: BikeDraft
    /// The identity that the bike's beacon must send. For a rotating beacon, the registry's name for it, which the
    /// beacon never sends.
    public var identity: BeaconIdentity
    /// The rotating beacon; absent if the beacon always sends ``identity``.
    public var rotation: BeaconRotation?
    /// The pending proof of a beacon with a given identity; absent if no proof is pending.
    public var pending: PendingBeacon?
    /// The tests of the beacon; absent if there was none, for a rotating beacon, and for members.
    public var test: BeaconTest?
    /// Where the owner has left the bike; absent if they have not said so, and for members.
    public var parked: ParkedPlace?
    /// The open missing report, absent while the bike is not missing.
    public var openReport: ReportID?
    public var created: Timestamp
    /// The first of the bike's photos; absent if there is none.
    public var photo: PhotoID?
    /// The caller's role on somebody else's bike; absent on the caller's own.
    public var role: MemberRole?
    /// The number of conversations in which a finder waits for an answer; absent if there is none, outside the list of
    /// bikes, and for a member who may not read them.
    public var waitingMessages: Int?

    public init(
        id: BikeID, details: BikeDraft, identity: BeaconIdentity, pending: PendingBeacon? = nil, openReport: ReportID?,
        created: Timestamp, photo: PhotoID? = nil, role: MemberRole? = nil, waitingMessages: Int? = nil,
        rotation: BeaconRotation? = nil, test: BeaconTest? = nil, parked: ParkedPlace? = nil
    ) {
        self.id = id
        self.details = details
        self.details.upkeep = details.upkeep?.ifAny
        self.details.buyerCheck = details.allowsBuyerCheck ? true : nil
        self.details.identity = nil
        self.details.rotating = nil
        self.identity = identity
        self.pending = pending
        self.test = test?.ifAny
        self.parked = parked
        self.openReport = openReport
        self.created = created
        self.photo = photo
        self.role = role
        self.waitingMessages = waitingMessages
        self.rotation = rotation
    }

    /// Whether buyers can check the bike's numbers.
    public var allowsBuyerCheck: Bool { details.allowsBuyerCheck }

    public subscript<Value>(dynamicMember field: WritableKeyPath<BikeDraft, Value>) -> Value {
        get { details[keyPath: field] }
        set { details[keyPath: field] = newValue }
    }
}

/// The appearance of a bike, returned to a station's staff in the response to a visit.
public struct BikeAppearance: Codable, Hashable, Sendable {
    public var kind: BikeKind
    public var make: String
    public var model: String
    public var colours: [BikeColour]
    /// The address of a small picture, which works while the bike is there; absent unless the owner lets staff see one.
    public var photo: String?

    public init(kind: BikeKind, make: String, model: String, colours: [BikeColour], photo: String? = nil) {
        self.kind = kind
        self.make = make
        self.model = model
        self.colours = colours
        self.photo = photo
    }
}

extension BikeDraft: WireObject {
    public static let blank = BikeDraft(kind: .other, make: "", model: "", colours: [])

    public mutating func describe(_ fields: inout some FieldCoder) {
        describeDetails(&fields)
        fields.optional("identity", &identity, .object())
        fields.optional("rotating", &rotating, .boolean)
        if rotating == true, identity != nil {
            fields.refuse("rotating", "a rotating beacon has no fixed identity; leave one of them out")
        }
    }

    /// Describes the fields that the owner can change.
    mutating func describeDetails(_ fields: inout some FieldCoder) {
        fields.required("kind", &kind, .choice())
        fields.required("make", &make, .text(1...64))
        fields.required("model", &model, .text(1...64))
        fields.required("colours", &colours, .set(of: .choice(), 1...3, "a list of 1 to 3 colours, the main one first"))
        if Set(colours).count < colours.count { fields.refuse("colours", "names a colour twice; name each once") }
        fields.optional("year", &year, .integer(1885...max(1885, fields.now.year + 1)))
        fields.optional("serial", &serial, .text(0...64))
        fields.optional("vin", &vin, .text(0...64))
        fields.optional("engineNumber", &engineNumber, .text(0...64))
        fields.optional("plate", &plate, .text(0...64))
        fields.optional("buyerCheck", &buyerCheck, .boolean)
        fields.optional("notes", &notes, .text(0...500, multiline: true))
        fields.optional("upkeep", &upkeep, .merged())
    }
}

extension Bike: WireObject, JSONWritable {
    public static let blank = Bike(
        id: .specimen, details: .blank, identity: .blank, openReport: nil, created: .specimen)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.answered("id", id, .id())
        details.describeDetails(&fields)
        details.upkeep = details.upkeep?.ifAny
        details.buyerCheck = details.allowsBuyerCheck ? true : nil
        fields.answered("identity", identity, .object())
        fields.answered("rotation", rotation, .object())
        fields.answered("pending", pending, .object())
        fields.answered("test", test, .object())
        fields.answered("parked", parked, .object())
        fields.answered("openReport", openReport, .id())
        fields.answered("created", created, .timestamp)
        fields.answered("photo", photo, .id())
        fields.answered("role", role, .choice())
        fields.answered("waitingMessages", waitingMessages, .integer(1...MessageRules.mostOfAccount))
    }
}

extension Bike: Codable {
    private enum CodingKeys: CodingKey {
        case id, identity, rotation, pending, test, parked, openReport, created, photo, role, waitingMessages
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(BikeID.self, forKey: .id), details: try BikeDraft(from: decoder),
            identity: try fields.decode(BeaconIdentity.self, forKey: .identity),
            pending: try fields.decodeIfPresent(PendingBeacon.self, forKey: .pending),
            openReport: try fields.decodeIfPresent(ReportID.self, forKey: .openReport),
            created: try fields.decode(Timestamp.self, forKey: .created),
            photo: try fields.decodeIfPresent(PhotoID.self, forKey: .photo),
            role: try fields.decodeIfPresent(MemberRole.self, forKey: .role),
            waitingMessages: try fields.decodeIfPresent(Int.self, forKey: .waitingMessages),
            rotation: try fields.decodeIfPresent(BeaconRotation.self, forKey: .rotation),
            test: try fields.decodeIfPresent(BeaconTest.self, forKey: .test),
            parked: try fields.decodeIfPresent(ParkedPlace.self, forKey: .parked)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        try details.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(identity, forKey: .identity)
        try fields.encodeIfPresent(rotation, forKey: .rotation)
        try fields.encodeIfPresent(pending, forKey: .pending)
        try fields.encodeIfPresent(test, forKey: .test)
        try fields.encodeIfPresent(parked, forKey: .parked)
        try fields.encodeIfPresent(openReport, forKey: .openReport)
        try fields.encode(created, forKey: .created)
        try fields.encodeIfPresent(photo, forKey: .photo)
        try fields.encodeIfPresent(role, forKey: .role)
        try fields.encodeIfPresent(waitingMessages, forKey: .waitingMessages)
    }
}

extension BikeAppearance: WireObject, JSONWritable {
    public static let blank = BikeAppearance(kind: .other, make: "", model: "", colours: [])

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.answered("kind", kind, .choice())
        fields.answered("make", make, .text(1...64))
        fields.answered("model", model, .text(1...64))
        fields.answered("colours", colours, .array(of: .choice()))
        fields.answered("photo", photo, .text(1...300))
    }
}
