import HTTPTypes
import MissingList
import RegistryAPI
import Syntax

/// A request of a station or a partner for a missing list, parsed from its header fields (docs/missing-list.md).
struct MissingListRequest {
    /// The longest wait, in seconds.
    static let longestWait = 900
    /// The instance manipulation in `A-IM` and `IM`: the registry's own form of changes.
    static let deltaEncoding = "findmybike"
    /// The status of a response that contains changes (RFC 3229, section 10.4.1).
    static let changesStatus = HTTPResponse.Status(code: 226, reasonPhrase: "IM Used")

    /// Whether the binary form was requested; otherwise JSON.
    let isBinary: Bool
    /// Whether the caller can apply changes to its version.
    let acceptsDelta: Bool
    /// How long the caller prefers to wait for a change, 0 to ``longestWait`` seconds: a longer wait is cut to that.
    /// Nil if there is no preference.
    let wait: Duration?
    private let entityTags: String?

    /// - Throws: `invalidWait`.
    init(_ headers: HTTPFields) throws(RequestError) {
        isBinary = Self.names(MediaType.missingList, in: headers.text(of: .accept))
        acceptsDelta = Self.names(Self.deltaEncoding, in: headers.text(of: .aIM))
        wait = try Self.wait(headers.text(of: .prefer)).map { .seconds($0) }
        entityTags = headers.text(of: .ifNoneMatch)
    }

    /// The tag of a version in the requested format. It is strong: equal tags mean equal bytes.
    func entityTag(of version: ListVersion) -> String { isBinary ? "\"\(version)\"" : "\"\(version)-json\"" }

    /// The header fields of every response with a version.
    func headers(of version: ListVersion) -> HTTPFields {
        [.eTag: entityTag(of: version), .cacheControl: "private, no-cache", .vary: "Accept, A-IM"]
    }

    /// Whether the caller already has the version.
    func has(_ version: ListVersion) -> Bool { EntityTag.isNamed(entityTag(of: version), by: entityTags) }

    /// The version from which a delta may start: the first that the caller names; nil if it wants the whole list.
    var base: ListVersion? {
        guard isBinary, acceptsDelta, let first = entityTags?.split(at: ",").first else { return nil }
        let tag = first.trimming(scalars: \.isBlank)
        guard let text = tag.dropping(prefix: "\"")?.dropping(suffix: "\"") else { return nil }
        return ListVersion(text)
    }

    /// Whether a list of tokens with parameters contains a token, ignoring case. Compares bytes for speed, since it is
    /// called for each request of each station.
    private static func names(_ token: String, in field: String?) -> Bool {
        guard let field else { return false }
        return field.utf8.split(separator: UInt8(ascii: ",")).contains { element in
            element.prefix { $0 != UInt8(ascii: ";") }
                .lazy.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
                .map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
                .elementsEqual(token.utf8)
        }
    }

    /// The value of the preference “wait” (RFC 7240, section 4.3), in whole seconds, at most ``longestWait``.
    private static func wait(_ field: String?) throws(RequestError) -> Int? {
        for preference in (field ?? "").parts(betweenScalars: { $0 == "," || $0 == ";" }) {
            let parts = preference.split(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimming(scalars: \.isBlank) }
            guard parts[0].lowercased() == "wait" else { continue }
            guard parts.count == 2, let seconds = UInt64(digits: parts[1]) else {
                throw .invalidWait
            }
            return Int(min(seconds, UInt64(longestWait)))
        }
        return nil
    }
}
