/// Things that an owner may have a limited number of at a time.
public enum Quota: String, Codable, CaseIterable, Hashable, Sendable {
    case bikes, channels, tokens, openReports, photos
}

/// The maximum number of each thing that an owner may have at a time. The default values are those of the registry's
/// settings, which the operator can change, also for one owner (``QuotaExceptions``).
public struct Quotas: Codable, Hashable, Sendable {
    public var bikes: Int
    public var channels: Int
    public var tokens: Int
    public var openReports: Int
    public var photos: Int

    /// The values to which an operator may set a quota.
    public static let range = 0...100_000

    public init(bikes: Int = 20, channels: Int = 10, tokens: Int = 20, openReports: Int = 5, photos: Int = 60) {
        self.bikes = bikes
        self.channels = channels
        self.tokens = tokens
        self.openReports = openReports
        self.photos = photos
    }

    public subscript(quota: Quota) -> Int {
        get { self[keyPath: Self.path(of: quota)] }
        set { self[keyPath: Self.path(of: quota)] = newValue }
    }

    /// The property with the maximum number of a thing.
    private static func path(of quota: Quota) -> WritableKeyPath<Quotas, Int> {
        switch quota {
        case .bikes: \.bikes
        case .channels: \.channels
        case .tokens: \.tokens
        case .openReports: \.openReports
        case .photos: \.photos
        }
    }
}

/// Body of `PUT /v1/owners/{id}/quotas`: the quotas of one owner; the registry's settings apply to absent ones.
public struct QuotaExceptions: Codable, Hashable, Sendable {
    public var bikes: Int?
    public var channels: Int?
    public var tokens: Int?
    public var openReports: Int?
    public var photos: Int?

    public init(
        bikes: Int? = nil, channels: Int? = nil, tokens: Int? = nil, openReports: Int? = nil, photos: Int? = nil
    ) {
        self.bikes = bikes
        self.channels = channels
        self.tokens = tokens
        self.openReports = openReports
        self.photos = photos
    }

    public subscript(quota: Quota) -> Int? {
        get { self[keyPath: Self.path(of: quota)] }
        set { self[keyPath: Self.path(of: quota)] = newValue }
    }

    private static func path(of quota: Quota) -> WritableKeyPath<Self, Int?> {
        switch quota {
        case .bikes: \.bikes
        case .channels: \.channels
        case .tokens: \.tokens
        case .openReports: \.openReports
        case .photos: \.photos
        }
    }
}

extension QuotaExceptions: WireObject {
    public static let blank = QuotaExceptions()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("bikes", &bikes, .integer(Quotas.range))
        fields.optional("channels", &channels, .integer(Quotas.range))
        fields.optional("tokens", &tokens, .integer(Quotas.range))
        fields.optional("openReports", &openReports, .integer(Quotas.range))
        fields.optional("photos", &photos, .integer(Quotas.range))
    }
}
