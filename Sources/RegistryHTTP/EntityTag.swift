import Crypto
import Evidence
import HTTPTypes
import Hummingbird
import NIOCore
import Registry
import RegistryAPI

/// Entity tags (RFC 9110, section 8.8.3).
enum EntityTag {
    /// The strong tag of what a resource shows: the same for the same content, however often it changed in between.
    static func of(_ content: ByteBuffer) -> String {
        "\"" + Hexadecimal.text(SHA256.hash(data: content.readableBytesView).prefix(8)) + "\""
    }

    /// Whether `If-None-Match` names the tag; weakly compared, as that field asks for.
    static func isNamed(_ tag: String, by field: String?) -> Bool {
        guard let field else { return false }
        if field == tag { return true }
        return field.split(separator: ",").contains { candidate in
            var candidate = candidate.drop(while: \.isWhitespace)
            while candidate.last?.isWhitespace == true { candidate.removeLast() }
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate == "*" || candidate == tag
        }
    }

    /// Whether `If-Match` names the tag; strongly compared, as that field asks for.
    static func isMatched(_ tag: String, by field: String) -> Bool {
        field.split(separator: ",").contains { candidate in
            let candidate = candidate.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
            return candidate == "*" || candidate == tag
        }
    }
}

extension Request {
    /// Lets a change happen only to what the caller has seen (RFC 6585, section 3).
    func checkPrecondition(of value: some Encodable, _ resource: String) throws {
        guard let field = headers[.ifMatch] else { throw RequestError.preconditionRequired }
        guard EntityTag.isMatched(EntityTag.of(try JSONBody.encode(value)), by: field) else {
            throw DomainError.changedMeanwhile(resource)
        }
    }
}

extension Response {
    /// A resource with its entity tag; without the body where the caller has it already.
    static func tagged(
        _ value: some Encodable, for request: Request, status: HTTPResponse.Status = .ok, at location: String? = nil
    ) throws -> Response {
        let content = try JSONBody.encode(value)
        let tag = EntityTag.of(content)
        var headers: HTTPFields = [.eTag: tag]
        if let location { headers[.location] = location }
        if request.method == .get, EntityTag.isNamed(tag, by: request.headers[.ifNoneMatch]) {
            headers[.cacheControl] = "no-store"
            return Response(status: .notModified, headers: headers)
        }
        return body(content, MediaType.json, status: status, headers: headers)
    }
}
