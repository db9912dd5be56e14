/// A photo of a bike. Its two pictures are upright, and contain no data about the camera or the place.
public struct Photo: Codable, Hashable, Sendable {
    public var id: PhotoID
    public var created: Timestamp
    /// The size of the large picture in pixels, at most 1600 on the longer side.
    public var width: Int
    public var height: Int
    /// The length of both pictures together, in bytes.
    public var bytes: Int
    /// Whether staff see it at a venue while the bike is missing and there; absent means no.
    public var forStaff: Bool?

    public init(
        id: PhotoID, created: Timestamp, width: Int, height: Int, bytes: Int, forStaff: Bool? = nil
    ) {
        self.id = id
        self.created = created
        self.width = width
        self.height = height
        self.bytes = bytes
        self.forStaff = forStaff
    }
}

/// Body of `PUT /v1/bikes/{bike}/photos/{photo}/consent`: whether staff of a venue may see the photo.
public struct PhotoConsent: Codable, Hashable, Sendable {
    public var forStaff: Bool

    public init(forStaff: Bool) { self.forStaff = forStaff }
}

extension PhotoConsent: WireObject {
    public static let blank = PhotoConsent(forStaff: false)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("forStaff", &forStaff, .boolean)
    }
}

/// The pictures that are made from a photo.
public enum PhotoSize: String, Codable, CaseIterable, Hashable, Sendable {
    /// At most 1600 pixels on the longer side.
    case large
    /// At most 400 pixels on the longer side.
    case small
}

/// The limits of photos for each bike and owner.
public enum PhotoRules {
    /// The maximum number of photos of a bike.
    public static let most = 6
    /// The maximum number of files that an owner may have converted in an hour.
    public static let uploadsPerHour = 20
}

/// Body of `PUT /v1/bikes/{id}/photos`: all photos of the bike in their new order.
public struct PhotoOrder: Codable, Hashable, Sendable {
    public var photos: [PhotoID]

    public init(photos: [PhotoID]) { self.photos = photos }
}

extension PhotoOrder: WireObject {
    public static let blank = PhotoOrder(photos: [])

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required(
            "photos", &photos, .array(of: .id(), 0...PhotoRules.most, "a list of the bike’s photos, by identifier"))
    }
}
