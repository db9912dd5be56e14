/// Body of `POST /v1/stations/{station}/displays` and `POST /v1/station/displays`.
public struct DisplayDraft: Codable, Hashable, Sendable {
    /// Where the display is, 1–64 characters; absent means `Display`.
    public var name: String?

    public init(name: String? = nil) {
        self.name = name
    }
}

/// A code that makes one screen a display of a station. It is shown only once.
public struct DisplayCode: Codable, Hashable, Sendable {
    /// The display that it makes.
    public var display: DisplayID
    public var code: String
    /// Until when the code works.
    public var expires: Timestamp
    /// The page to open on the screen, with the code after `#`; absent if the operator has set no public URL.
    public var link: String?

    public init(display: DisplayID, code: String, expires: Timestamp, link: String? = nil) {
        self.display = display
        self.code = code
        self.expires = expires
        self.link = link
    }
}

/// A screen at a venue that shows which missing bikes are there, without its secret.
public struct VenueDisplay: Codable, Hashable, Sendable {
    public var id: DisplayID
    public var name: String
    public var created: Timestamp
    /// When it was connected; absent while its code waits.
    public var paired: Timestamp?
    /// The last use, to the hour; absent if there was none.
    public var lastUsed: Timestamp?
    /// The end: of its code, or a year after the last use.
    public var expires: Timestamp

    public init(
        id: DisplayID, name: String, created: Timestamp, paired: Timestamp? = nil, lastUsed: Timestamp? = nil,
        expires: Timestamp
    ) {
        self.id = id
        self.name = name
        self.created = created
        self.paired = paired
        self.lastUsed = lastUsed
        self.expires = expires
    }
}

/// Body of `PUT /v1/stations/{station}/displays/{display}/name`.
public struct DisplayRename: Codable, Hashable, Sendable {
    /// Where the display is, 1–64 characters.
    public var name: String

    public init(name: String) { self.name = name }
}

/// Body of `POST /v1/display/pairing`.
public struct DisplayPairing: Codable, Hashable, Sendable {
    public var code: String

    public init(code: String) {
        self.code = code
    }
}

/// Body of `POST /v1/display/visits/{visit}/answer`.
public struct DisplayAnswer: Codable, Hashable, Sendable {
    public var answer: VisitConfirmation.Answer

    public init(answer: VisitConfirmation.Answer) {
        self.answer = answer
    }
}

/// What a station needs to serve displays itself, if the registry's operator allows it.
public struct DisplayTerms: Codable, Hashable, Sendable {
    /// The station's name.
    public var station: String
    /// Whom staff should call; absent if the operator has not set it.
    public var contact: String?

    public init(station: String, contact: String? = nil) {
        self.station = station
        self.contact = contact
    }
}

/// The limits of displays.
public enum DisplayRules {
    /// The maximum number of displays of a station.
    public static let most = 5
    /// The number of groups of five characters in a code. Its 50 bits are enough, since a code works for minutes and
    /// each address can try few codes.
    public static let codeGroups = 2
    /// The time for which a code works.
    public static let codeLifetime = Duration.seconds(900)
    /// A display ends this long after its last use.
    public static let lifetime = Duration.days(365)
    /// A bike is shown until this long after it was last heard, like alarms at the venue: a visit that continues is
    /// reported every five minutes.
    public static let presence = Duration.seconds(900)
    /// The time after a bike was last heard in which staff can still answer.
    public static let answerable = Duration.days(1)
    /// The maximum number of bikes that are shown.
    public static let mostBikes = 50
}

extension DisplayDraft: WireObject {
    public static let blank = DisplayDraft()

    public mutating func describe(_ fields: inout some FieldCoder) { fields.optional("name", &name, .text(1...64)) }
}

extension DisplayRename: WireObject {
    public static let blank = DisplayRename(name: "")

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("name", &name, .text(1...64)) }
}

extension DisplayPairing: WireObject {
    public static let blank = DisplayPairing(code: "")

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("code", &code, .text(1...64)) }
}

extension DisplayAnswer: WireObject {
    public static let blank = DisplayAnswer(answer: .seen)

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("answer", &answer, .choice()) }
}
