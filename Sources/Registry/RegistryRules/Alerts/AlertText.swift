public import RegistryAPI

/// The text of an alert for a person, in their language. Channels lay it out and add no text.
public struct AlertText: Hashable, Sendable {
    /// The title: one line of at most ``longestTitle`` characters.
    public var title: String
    public var paragraphs: [String]
    public var links: [Link]
    public var language: AlertLanguage

    /// A link in an alert.
    public struct Link: Hashable, Sendable {
        /// A few words that describe the link.
        public var label: String
        public var url: String

        public init(label: String, url: String) {
            self.label = label
            self.url = url
        }
    }

    public static let longestTitle = 80

    /// - Parameter title: the title; shortened if it is too long.
    public init(title: String, paragraphs: [String], links: [Link] = [], language: AlertLanguage) {
        self.title = Self.shortened(title)
        self.paragraphs = paragraphs
        self.links = links
        self.language = language
    }

    private static func shortened(_ title: String) -> String {
        title.count <= longestTitle ? title : title.prefix(longestTitle - 1) + "…"
    }
}
