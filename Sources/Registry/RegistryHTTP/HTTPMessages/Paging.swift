import FoundationEssentials
import HTTPTypes
import Hummingbird
import RegistryAPI
import RegistryRules
import Syntax

/// Cursors and links of lists.
///
/// A cursor is a value in the list's order, in URL-safe Base64.
/// It is opaque to callers, who take it from the previous page.
enum Paging {
    /// The number of items on a page if the caller does not say.
    static let defaultLimit = 100
    /// The largest number of items that a caller may ask for.
    static let maximumLimit = 500

    /// The page that `?cursor=…&limit=…` requests.
    ///
    /// - Throws: `invalidLimit`, `invalidCursor`.
    static func page<Cursor: PageCursor>(
        _ request: Request, maximum: Int = maximumLimit, defaultLimit: Int = defaultLimit
    ) throws -> PageRequest<Cursor> {
        let query = request.uri.queryParameters
        var limit = defaultLimit
        if let text = query["limit"] {
            guard let number = Int(digits: text), (1...maximum).contains(number) else {
                throw RequestError.invalidLimit(maximum: maximum)
            }
            limit = number
        }
        guard let text = query["cursor"] else { return PageRequest(limit: limit) }
        guard let cursor = decode(String(text)).flatMap(Cursor.init(cursorText:)) else {
            throw RequestError.invalidCursor
        }
        return PageRequest(after: cursor, limit: limit)
    }

    /// A page with `next`, and the header field `Link` (RFC 8288) with the same target.
    static func answer<Item: Codable & Sendable, Cursor: PageCursor>(
        _ page: StoredPage<Item, Cursor>, to request: Request
    ) throws -> Response {
        let next = page.next.map { encode($0.cursorText) }
        return try .json(Page(items: page.items, next: next), headers: links(from: page, to: request))
    }

    /// The `Link` field to the next page, with the same limit and filters; empty on the last page.
    static func links<Item, Cursor: PageCursor>(
        from page: StoredPage<Item, Cursor>, to request: Request
    ) -> HTTPFields {
        guard let next = page.next else { return [:] }
        let others = request.uri.query?.split(at: "&").filter { !$0.begins(with: "cursor=") } ?? []
        let query = (["cursor=\(encode(next.cursorText))"] + others.map(String.init)).joined(separator: "&")
        return [.link: "<\(request.uri.path)?\(query)>; rel=\"next\""]
    }

    private static func encode(_ text: String) -> String {
        Data(text.utf8).base64EncodedString()
            .replacing(scalars: ["+": "-", "/": "_", "=": ""])
    }

    private static func decode(_ cursor: String) -> String? {
        let base64 = cursor.replacing(scalars: ["-": "+", "_": "/"])
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        return Data(base64Encoded: base64 + padding).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

/// A position in a list's order, as text.
protocol PageCursor: Sendable {
    /// Reads ``cursorText``; nil for other texts, which a caller may have made up.
    init?(cursorText: String)
    var cursorText: String { get }
}

extension ResourceID: PageCursor {
    init?(cursorText: String) { self.init(cursorText) }
    var cursorText: String { description }
}

/// A row number from 0 to 2^53, so that additions to it cannot overflow.
extension Int64: PageCursor {
    init?(cursorText: String) {
        guard let value = Int64(cursorText), (0...1 << 53).contains(value) else { return nil }
        self = value
    }

    var cursorText: String { description }
}
