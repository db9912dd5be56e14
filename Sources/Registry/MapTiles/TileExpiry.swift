import Syntax

/// How long a tile server's response may be used (RFC 9111).
public enum TileExpiry {
    /// The time if the server states none, in seconds: seven days, which OpenStreetMap's servers ask for.
    public static let standard: Int64 = 7 * 86_400
    /// The longest time, in seconds.
    public static let longest: Int64 = 365 * 86_400

    /// The time until which a response is fresh, in seconds since the Unix epoch; nil if it must not be kept.
    ///
    /// - Parameters:
    ///   - field: the value of a header field, by its name in lower case; nil if the response does not have it.
    ///   - now: the time when the response arrived, in seconds since the Unix epoch.
    public static func freshUntil(_ field: (String) -> String?, now: Int64) -> Int64? {
        let directives = directives(field("cache-control") ?? "")
        if directives["no-store"] != nil || directives["private"] != nil { return nil }
        if directives["no-cache"] != nil { return now }
        let stated = ["s-maxage", "max-age"].lazy.compactMap { directives[$0].flatMap(seconds) }.first
        if let stated {
            // The time that the response has already spent in caches.
            let age = field("age").flatMap(seconds) ?? 0
            return now + max(0, min(stated, longest) - min(age, longest))
        }
        guard let expires = field("expires") else { return now + standard }
        // “a cache recipient MUST interpret invalid date formats … as representing a time in the past” (section 5.3).
        guard let end = HTTPDate.seconds(expires) else { return now }
        // The difference to the server's own clock, if it states that.
        let start = field("date").flatMap(HTTPDate.seconds) ?? now
        return now + max(0, min(end - start, longest))
    }

    /// The directives of `Cache-Control`, with names in lower case and values without quotes.
    private static func directives(_ field: String) -> [String: String] {
        var directives: [String: String] = [:]
        let field = String(decoding: field.utf8.prefix(1000), as: UTF8.self).lowercased()
        for directive in field.split(at: ",") {
            let parts = directive.split(at: "=", maxSplits: 1).map {
                $0.trimming(scalars: { $0.properties.isWhitespace || $0 == "\"" })
            }
            guard let name = parts.first else { continue }
            directives[String(name)] = parts.count > 1 ? String(parts[1]) : ""
        }
        return directives
    }

    /// A number of seconds; larger ones than a cache can need count as ``longest``.
    private static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(text) ?? longest, longest)
    }
}
