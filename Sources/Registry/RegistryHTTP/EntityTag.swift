import Crypto
import Evidence
import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistryRules
import RegistrySQL
import Syntax

/// Entity tags (RFC 9110, section 8.8.3).
enum EntityTag {
    /// The strong tag of a resource's representation: equal for equal content, however often it changed in between.
    static func of(_ content: ByteBuffer) -> String {
        "\"" + Hexadecimal.text(SHA256.hash(data: content.readableBytesView).prefix(8)) + "\""
    }

    /// Whether `If-None-Match` names the tag, by the weak comparison that this field requires.
    static func isNamed(_ tag: String, by field: String?) -> Bool {
        guard let field else { return false }
        if field == tag { return true }
        return field.split(at: ",").contains { candidate in
            let candidate = candidate.trimming(scalars: \.isBlank)
            return candidate == "*" || (candidate.dropping(prefix: "W/") ?? candidate) == tag
        }
    }

    /// Whether `If-Match` names the tag, by the strong comparison that this field requires.
    static func isMatched(_ tag: String, by field: String) -> Bool {
        field.split(at: ",").contains { candidate in
            let candidate = candidate.trimming(scalars: \.isBlank)
            return candidate == "*" || candidate == tag
        }
    }
}

extension Response {
    /// A response with a resource and its entity tag; without the body if the caller already has it.
    static func tagged(
        _ value: some Encodable, for request: Request, status: HTTPResponse.Status = .ok, at location: String? = nil
    ) throws -> Response {
        try tagged(value, as: value, for: request, status: status, at: location)
    }

    /// - Parameter tagged: the resource as other calls show it, if this response shows more.
    static func tagged(
        _ value: some Encodable, as tagged: some Encodable, for request: Request,
        status: HTTPResponse.Status = .ok, at location: String? = nil
    ) throws -> Response {
        let content = try JSONBody.encode(value)
        let tag = EntityTag.of(try JSONBody.encode(tagged))
        var headers: HTTPFields = [.eTag: tag]
        if let location { headers[.location] = location }
        if request.method == .get, EntityTag.isNamed(tag, by: request.headers[.ifNoneMatch]) {
            headers[.cacheControl] = "no-store"
            return Response(status: .notModified, headers: headers)
        }
        return body(content, MediaType.json, status: status, headers: headers)
    }
}

/// Entity tags of resources that are changed with `If-Match`: the number of their state.
enum StateTag {
    static func text(of version: Int64) -> String { "\"\(version)\"" }

    /// The state that a change is meant for (RFC 9110, section 13.1.1); nil for `*`, any state.
    ///
    /// - Throws: `preconditionRequired` without the field, `changedMeanwhile` if it names no state of the resource.
    static func version(of resource: String, namedBy field: String?) throws -> Int64? {
        guard let field else { throw RequestError.preconditionRequired }
        let tags = field.split(at: ",").map { $0.trimming(scalars: \.isBlank) }
        if tags == ["*"] { return nil }
        guard tags.count == 1,
            let version = tags[0].dropping(prefix: "\"")?.dropping(suffix: "\"").flatMap({ Int64(digits: $0) })
        else { throw DomainError.changedMeanwhile(resource) }
        return version
    }
}
