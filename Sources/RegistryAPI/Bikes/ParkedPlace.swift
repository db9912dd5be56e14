/// Where an owner has left a bike: body of `PUT /v1/bikes/{id}/parking`, without the time, and a part of ``Bike``.
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
