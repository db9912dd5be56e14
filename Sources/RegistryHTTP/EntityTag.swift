import Crypto
import HTTPTypes
import Hummingbird
import Registry

/// Entity tags (RFC 9110, section 8.8.3).
enum EntityTag {
    /// The strong tag of what a resource shows: the same for the same content, however often it changed in between.
    static func of(_ value: some Encodable) throws -> String {
        let hash = SHA256.hash(data: Array(try JSONBody.encode(value).readableBytesView)).prefix(8)
        return "\"" + hash.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined() + "\""
    }

    /// Whether `If-None-Match` names the tag; weakly compared, as that field asks for.
    static func isNamed(_ tag: String, by field: String?) -> Bool {
        guard let field else { return false }
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
        guard EntityTag.isMatched(try EntityTag.of(value), by: field) else {
            throw DomainError.changedMeanwhile(resource)
        }
    }
}

extension Response {
    /// A resource with its entity tag; without the body where the caller has it already.
    static func tagged(
        _ value: some Encodable, for request: Request, status: HTTPResponse.Status = .ok, at location: String? = nil
    ) throws -> Response {
        let tag = try EntityTag.of(value)
        var headers: HTTPFields = [.eTag: tag]
        if let location { headers[.location] = location }
        if request.method == .get, EntityTag.isNamed(tag, by: request.headers[.ifNoneMatch]) {
            headers[.cacheControl] = "no-store"
            return Response(status: .notModified, headers: headers)
        }
        return try .json(value, status: status, headers: headers)
    }
}
