public import RegistryAPI

/// The texts of the page in place of a picture that staff could see.
public struct StaffPhotoTexts: Sendable {
    private let isGerman: Bool

    public init(_ language: AlertLanguage) { isGerman = language == .de }

    public var ended: String { isGerman ? "Dieses Bild ist nicht mehr da" : "This picture is no longer shown" }
    public var endedHint: String {
        isGerman
            ? "Man sieht es nur, solange das vermisste Rad am Ort der Station ist und sein Besitzer es zeigen will."
            : "It can be seen only while the missing bike is at the station, and its owner wants to show it."
    }
}
