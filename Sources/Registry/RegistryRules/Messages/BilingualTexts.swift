import RegistryAPI

/// Texts of pages that are served without JavaScript, in the language of the reader.
protocol BilingualTexts: Sendable {
    var language: AlertLanguage { get }
}

extension BilingualTexts {
    var isGerman: Bool { language == .de }

    func text(_ english: String, _ german: String) -> String { isGerman ? german : english }
}
