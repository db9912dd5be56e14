import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistryRules

extension Response {
    /// A response with a resource and its entity tag; without the body if the caller already has it.
    static func tagged(
        _ value: some Encodable, for request: Request, status: HTTPResponse.Status = .ok, at location: String? = nil
    ) throws -> Response {
        let content = try JSONBody.encode(value)
        return tagged(content, tag: EntityTag.of(content), for: request, status: status, at: location)
    }

    /// The same for a resource of which this response shows more than others.
    ///
    /// - Parameters:
    ///   - tagged: the resource as other calls show it, for which the tag is.
    ///   - location: the path of a new resource.
    static func tagged(
        _ value: some Encodable, as tagged: some Encodable, for request: Request,
        status: HTTPResponse.Status = .ok, at location: String? = nil
    ) throws -> Response {
        let tag = EntityTag.of(try JSONBody.encode(tagged))
        return self.tagged(try JSONBody.encode(value), tag: tag, for: request, status: status, at: location)
    }

    private static func tagged(
        _ content: ByteBuffer, tag: String, for request: Request, status: HTTPResponse.Status, at location: String?
    ) -> Response {
        var headers: HTTPFields = [.eTag: tag]
        if let location { headers[.location] = location }
        if request.method == .get, EntityTag.isNamed(tag, by: request.headers.text(of: .ifNoneMatch)) {
            headers[.cacheControl] = "no-store"
            return Response(status: .notModified, headers: headers)
        }
        return body(content, MediaType.json, status: status, headers: headers)
    }
}
