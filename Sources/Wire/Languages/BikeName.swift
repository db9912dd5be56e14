public import RegistryAPI

/// A bike as it is named in the sentences of alerts, such as “your motorbike Triumph Bonneville”.
public struct BikeName: Hashable, Sendable {
    /// The kind of bike; `other` if it is not known.
    public var kind: BikeKind
    /// The make and model; empty if a message is not about a bike.
    public var name: String

    public init(kind: BikeKind, name: String) {
        (self.kind, self.name) = (kind, name)
    }

    /// The forms of the name that a text can use, by their placeholders.
    func forms(in language: AlertLanguage) -> [String: String] {
        let words = AlertWords(language)
        let yourBike = phrase(words.bike(kind))
        return [
            "bike": yourBike,
            // At the beginning of a sentence.
            "Bike": yourBike.prefix(1).uppercased() + yourBike.dropFirst(),
            "ofBike": phrase(words.ofBike(kind)),
            "toBike": phrase(words.toBike(kind)),
        ]
    }

    /// The words for the kind of bike, followed by the name if there is one.
    private func phrase(_ beginning: String) -> String { name.isEmpty ? beginning : "\(beginning) \(name)" }
}
