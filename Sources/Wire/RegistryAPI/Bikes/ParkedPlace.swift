/// Body of `PUT /v1/bikes/{id}/parking`.
public struct ParkingDraft: Codable, Hashable, Sendable {
    public var place: Place

    public init(place: Place) { self.place = place }
}

extension ParkingDraft: WireObject {
    public static let blank = ParkingDraft(place: .blank)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("place", &place, .object())
    }
}

/// Where an owner has left a bike: a part of ``Bike``.
///
/// Only the owner sees it. A new place replaces the one before, so there is no history.
public struct ParkedPlace: Codable, Hashable, Sendable {
    public var place: Place
    /// When the owner said so; set by the registry.
    public var since: Timestamp?

    /// How long it is kept.
    public static let retention = MissingReport.retention

    public init(place: Place, since: Timestamp? = nil) {
        self.place = place
        self.since = since
    }
}

extension ParkedPlace: WireObject, JSONWritable {
    public static let blank = ParkedPlace(place: .blank)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("place", &place, .object())
        fields.answered("since", since, .timestamp)
    }
}
