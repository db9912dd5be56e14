public import RegistryAPI

/// The texts of the page in place of a picture that staff could see.
public struct StaffPhotoTexts: BilingualTexts {
    public let language: AlertLanguage

    public init(_ language: AlertLanguage) { self.language = language }

    public var ended: String { text("This picture is no longer shown", "Dieses Bild ist nicht mehr da") }
    public var endedHint: String {
        text(
            "It can be seen only while the missing bike is at the station, and its owner wants to show it.",
            "Man sieht es nur, solange das vermisste Rad am Ort der Station ist und sein Besitzer es zeigen will.")
    }
}
