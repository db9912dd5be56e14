public import RegistryAPI

// Lists that come in pages.
extension RegistryConnection {
    /// The maximum number of pages of a list. Only a faulty registry sends more.
    static let pageLimit = 10_000

    /// All items of a list, page by page.
    ///
    /// - Parameter page: requests the page after a cursor; nil for the first page.
    /// - Throws: what `page` throws; ``RegistryError/malformedAnswer(_:)`` after ``pageLimit`` pages.
    public static func all<Item>(_ page: (String?) async throws -> Page<Item>) async throws -> [Item] {
        var items: [Item] = []
        var cursor: String?
        for _ in 0..<pageLimit {
            let next = try await page(cursor)
            items += next.items
            cursor = next.next
            if cursor == nil { return items }
        }
        throw RegistryError.malformedAnswer("the list has more than \(pageLimit) pages")
    }

    /// The query for a cursor, which consists of characters that need no escaping in a URL.
    static func query(_ cursor: String?) -> String {
        cursor.map { "?cursor=\($0)" } ?? ""
    }
}
