/// A language for alerts and pages (ISO 639-1). Each has a catalogue of texts in `Sources/Wire/Languages/Catalogues`.
public enum AlertLanguage: String, Codable, CaseIterable, Hashable, Sendable {
    case en, de, es, fr, it, nl, pl
}

/// The part of each day, in the owner's zone, in which no alerts are sent. Alerts from this time are sent together at
/// its end.
public struct QuietHours: Codable, Hashable, Sendable {
    public var from: TimeOfDay
    /// Later than ``from``, or earlier if the period spans midnight; never equal.
    public var to: TimeOfDay

    public init(from: TimeOfDay, to: TimeOfDay) {
        self.from = from
        self.to = to
    }
}

extension QuietHours: WireObject {
    public static let blank = QuietHours(from: .specimen, to: .specimen)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("from", &from, .timeOfDay)
        fields.required("to", &to, .timeOfDay)
        if fields.isSound, from == to {
            fields.refuse("to", "must not be the same as from; send null for no quiet hours")
        }
    }
}
