public import RegistryAPI

/// The texts of the page behind an alert's link, each a sentence or a few words without markup.
public struct AcknowledgementWords: Hashable, Sendable {
    public var title: String
    public var question: String
    public var button: String
    public var done: String
    public var unusable: String

    public init(_ language: AlertLanguage) {
        let words = language.words
        title = words.pageTitle
        question = words.pageQuestion
        button = words.pageButton
        done = words.pageDone
        unusable = words.pageUnusable
    }
}
