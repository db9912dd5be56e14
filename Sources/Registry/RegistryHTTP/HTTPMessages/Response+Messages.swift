import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI

extension Response {
    /// A response with a JSON body.
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) throws -> Response {
        body(try JSONBody.encode(value), MediaType.json, status: status, headers: headers)
    }

    /// The response to a call that created a resource with its own path.
    static func created(_ value: some Encodable, at location: String) throws -> Response {
        try json(value, status: .created, headers: [.location: location])
    }

    /// A response with problem details; never cached, since the problem may be gone at the next attempt.
    static func problem(_ problem: ProblemDetails, headers: HTTPFields = [:]) -> Response {
        let body = (try? JSONBody.encode(problem)) ?? ByteBuffer()
        var headers = headers
        headers[.cacheControl] = "no-store"
        return .body(body, MediaType.problem, status: .init(code: problem.status), headers: headers)
    }

    /// A response with encoded content. It must not be stored unless the header fields say otherwise.
    static func body(
        _ body: ByteBuffer, _ mediaType: String, status: HTTPResponse.Status = .ok, headers: HTTPFields
    ) -> Response {
        var headers = headers
        headers[.contentType] = mediaType
        // Responses of the API belong to one principal; no shared cache may store them.
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}
