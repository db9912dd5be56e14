import Syntax

/// The address of a tile server's tiles: `https://tile.example.org/{z}/{x}/{y}.png`.
public struct TileTemplate: Hashable, Sendable {
    /// The text before, between and after the placeholders.
    private let parts: [Part]

    private enum Part: Hashable, Sendable {
        case text(String)
        case zoom, column, row
    }

    private static let placeholders: [String: Part] = ["z": .zoom, "x": .column, "y": .row]

    /// A checksum that differs for different addresses.
    public let checksum: UInt64

    /// The remedy for an address that cannot be used, as an imperative.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// - Throws: the reason why the address cannot be used, without the address, which may contain a secret key.
    public init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= 1000, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.utf8.contains(UInt8(ascii: "#"))
        else {
            throw Refusal(description: "write the address in at most 1000 visible ASCII characters, without ‘#’")
        }
        try Self.checkServer(of: text)
        checksum = Checksum.of(text.utf8)
        parts = try Self.parts(of: text)
        for part in [Part.zoom, .column, .row] where parts.count(where: { $0 == part }) != 1 {
            throw Refusal(description: "write each of {z}, {x} and {y} once")
        }
    }

    /// The address of a tile.
    public func url(of tile: TileCoordinates) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .zoom: "\(tile.zoom)"
            case .column: "\(tile.column)"
            case .row: "\(tile.row)"
            }
        }.joined()
    }

    /// Checks that the server is named, and reached over TLS unless it is this machine.
    private static func checkServer(of text: String) throws(Refusal) {
        let scheme = ["https://", "http://"].first { text.begins(with: $0) }
        guard let scheme else { throw Refusal(description: "begin with https://") }
        let authority = text.dropFirst(scheme.count).prefix { !"/?".contains($0) }
        guard !authority.isEmpty, !authority.contains(where: { "{}@".contains($0) }),
            authority.count < text.count - scheme.count
        else {
            throw Refusal(description: "name one server, without a user and placeholders, and then the path of a tile")
        }
        guard scheme == "https://" || isLocal(authority) else {
            throw Refusal(description: "use https://; plain http is only for a server on this machine, as 127.0.0.1")
        }
    }

    private static func isLocal(_ authority: Substring) -> Bool {
        ["127.0.0.1", "[::1]", "localhost"].contains { authority == $0 || authority.begins(with: $0 + ":") }
    }

    private static func parts(of text: String) throws(Refusal) -> [Part] {
        var parts: [Part] = []
        var rest = Substring(text)
        while let brace = rest.firstIndex(where: { "{}".contains($0) }) {
            parts.append(.text(String(rest[..<brace])))
            let inner = rest[brace...].dropFirst()
            guard rest[brace] == "{", let end = inner.firstIndex(of: "}"),
                let placeholder = placeholders[String(inner[..<end])]
            else { throw Refusal(description: "use {z}, {x} and {y}; other placeholders are not supported") }
            parts.append(placeholder)
            rest = inner[end...].dropFirst()
        }
        return parts + [.text(String(rest))]
    }
}
