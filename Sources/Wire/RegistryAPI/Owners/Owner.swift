/// Body of `POST /v1/owners`, which is optional.
public struct OwnerDraft: Codable, Hashable, Sendable {
    /// The operator's code, if the registry accepts new owners by invitation only.
    public var invitation: String?
    /// See ``Owner/tellsAppearance``; true if it is absent.
    public var tellsAppearance: Bool?

    public init(invitation: String? = nil, tellsAppearance: Bool? = nil) {
        self.invitation = invitation
        self.tellsAppearance = tellsAppearance
    }
}

/// An owner of bikes, without name or address.
public struct Owner: Codable, Hashable, Sendable {
    public var id: OwnerID
    public var created: Timestamp
    /// Whether a station that has heard a missing bike gets its appearance, so that its staff can look for it.
    public var tellsAppearance: Bool
    /// The language of the owner's alerts.
    public var language: AlertLanguage
    /// The time zone for times in the owner's alerts, by its IANA name; absent means UTC.
    public var zone: String?
    /// The quiet hours; if they are absent, an alert may be sent at any time.
    public var quietHours: QuietHours?
    /// The number of unused recovery codes.
    public var recoveryCodes: Int
    /// The time when an operator verified who the owner is; absent if none has.
    public var verified: Timestamp?
    /// The kinds of channels that the registry offers; only in responses about the account itself.
    public var channelKinds: [ChannelKind]?

    public init(
        id: OwnerID, created: Timestamp, tellsAppearance: Bool = true, language: AlertLanguage = .en,
        zone: String? = nil, quietHours: QuietHours? = nil, recoveryCodes: Int = 0, verified: Timestamp? = nil,
        channelKinds: [ChannelKind]? = nil
    ) {
        self.id = id
        self.created = created
        self.tellsAppearance = tellsAppearance
        self.language = language
        self.zone = zone
        self.quietHours = quietHours
        self.recoveryCodes = recoveryCodes
        self.verified = verified
        self.channelKinds = channelKinds
    }
}

extension KeyedDecodingContainer {
    /// The kinds of channels that this program knows, without those that only a newer registry offers.
    ///
    /// ``Owner`` is decoded with it, because the compiler prefers it to the general function.
    func decodeIfPresent(_: [ChannelKind].Type, forKey key: Key) throws -> [ChannelKind]? {
        try decodeIfPresent([OfferedKind].self, forKey: key)?.compactMap(\.kind)
    }
}

/// A kind of channel that a registry offers; nil if this program does not know it.
private struct OfferedKind: Decodable, SchemaDescribed {
    let kind: ChannelKind?

    init(_ kind: ChannelKind?) { self.kind = kind }

    init(from decoder: any Decoder) throws {
        kind = ChannelKind(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    static var schema: JSONSchema { .choice(ChannelKind.allCases.map(\.rawValue)) }
    static var specimen: Self { OfferedKind(.webhook) }
}

/// Response to `POST /v1/owners`. Token and recovery codes are shown only once.
public struct OwnerCreated: Codable, Hashable, Sendable {
    public var owner: Owner
    public var token: String
    /// Each code works once: it either creates a new token, or confirms an act that a thief must not be able to
    /// perform. Codes do not expire.
    public var recoveryCodes: [String]

    public init(owner: Owner, token: String, recoveryCodes: [String]) {
        self.owner = owner
        self.token = token
        self.recoveryCodes = recoveryCodes
    }
}

extension OwnerDraft: WireObject {
    public static let blank = OwnerDraft()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("invitation", &invitation, .text(1...64))
        fields.optional("tellsAppearance", &tellsAppearance, .boolean)
    }
}

extension Owner: WireObject, JSONWritable {
    public static let blank = Owner(id: .specimen, created: .specimen)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.answered("id", id, .id())
        fields.answered("created", created, .timestamp)
        fields.required("tellsAppearance", &tellsAppearance, .boolean)
        fields.required("language", &language, .choice())
        fields.optional("zone", &zone, .text(1...64))
        fields.optional("quietHours", &quietHours, .object())
        fields.answered("recoveryCodes", recoveryCodes, .integer(0...Int.max))
        fields.answered("verified", verified, .timestamp)
        fields.answered("channelKinds", channelKinds, .array(of: .choice()))
    }
}
