import HTTPClient
import MapTiles
import Syntax

/// What a tile server's response means.
enum TileAnswer: Hashable, Sendable {
    /// A tile, and whether it may be kept.
    case tile(KeptTile, isKept: Bool)
    /// The tile that is kept has not changed; it is fresh until this time, in seconds since the Unix epoch, or must be
    /// asked for again each time if there is none.
    case unchanged(freshUntil: Int64?)
    /// The map has no tile there.
    case missing
    /// The server asks to wait, in seconds.
    case busy(Int64)
    /// Not a tile; contains the reason, for the operator.
    case unusable(String)

    /// - Parameter now: in seconds since the Unix epoch.
    init(_ response: HTTPResponse, now: Int64) {
        let freshUntil = TileExpiry.freshUntil({ response[header: $0] }, now: now)
        switch response.status {
        case 200: self = Self.image(of: response, freshUntil, now)
        case 304: self = .unchanged(freshUntil: freshUntil)
        case 204, 404, 410: self = .missing
        case 429, 503:
            let seconds = response.retryAfter?.components.seconds ?? Self.standardWait
            self = .busy(min(max(seconds, 1), Self.longestWait))
        case 300..<400: self = .unusable("it redirects (\(response.status)): set the address to which it leads")
        case 401, 403: self = .unusable("it refuses this registry (\(response.status)): check its terms and the key")
        default: self = .unusable("its status is \(response.status)")
        }
    }

    private static func image(of response: HTTPResponse, _ freshUntil: Int64?, _ now: Int64) -> TileAnswer {
        let stated = response[header: "content-type"] ?? "image/"
        guard stated.lowercased().begins(with: "image/"), let tile = Tile(response.body) else {
            return .unusable("it sent something other than a PNG, JPEG or WebP image of at most 512 kB")
        }
        let kept = KeptTile(
            tile: tile, freshUntil: freshUntil ?? now, entityTag: response[header: "etag"].flatMap(Self.text),
            lastModified: response[header: "last-modified"].flatMap(Self.text))
        return .tile(kept, isKept: freshUntil != nil)
    }

    /// A text that can be sent back; nil if it cannot.
    private static func text(_ text: String) -> String? {
        let usable = KeptTile.usable(text)
        return usable.isEmpty ? nil : usable
    }

    /// The wait in seconds if the server states none.
    private static let standardWait: Int64 = 60
    /// The longest wait in seconds: the server may be wrong.
    private static let longestWait: Int64 = 3600
}
