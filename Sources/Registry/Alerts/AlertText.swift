public import RegistryAPI

/// What an alert says to a person, in their language: channels lay it out, none writes anything of its own.
public struct AlertText: Hashable, Sendable {
    /// One line of at most ``longestTitle`` characters.
    public var title: String
    public var paragraphs: [String]
    public var links: [Link]
    public var language: AlertLanguage

    /// Somewhere to go from an alert.
    public struct Link: Hashable, Sendable {
        /// A few words that say what it does.
        public var label: String
        public var url: String

        public init(label: String, url: String) {
            self.label = label
            self.url = url
        }
    }

    public static let longestTitle = 80

    /// - Parameter title: shortened where it is too long.
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
