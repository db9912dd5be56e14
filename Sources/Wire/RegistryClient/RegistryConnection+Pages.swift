public import RegistryAPI

// Lists that come in pages.
extension RegistryConnection {
    /// All items of a list, page by page.
    ///
    /// - Parameter page: requests the page after a cursor; nil for the first page.
    public static func all<Item>(_ page: (String?) async throws -> Page<Item>) async throws -> [Item] {
        var items: [Item] = []
        var cursor: String?
        repeat {
            let next = try await page(cursor)
            items += next.items
            cursor = next.next
        } while cursor != nil
        return items
    }

    /// The query for a cursor, which consists of characters that need no escaping in a URL.
    static func query(_ cursor: String?) -> String {
        cursor.map { "?cursor=\($0)" } ?? ""
    }
}
