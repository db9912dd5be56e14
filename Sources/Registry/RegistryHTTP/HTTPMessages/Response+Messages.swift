import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistrySQL

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

enum JSONBody {
    /// Encodes a value; the same value always gives the same bytes.
    static func encode(_ value: some Encodable) throws -> ByteBuffer {
        if let value = value as? any JSONWritable {
            var json = JSONWriter()
            value.write(to: &json)
            return ByteBuffer(bytes: json.bytes)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ByteBuffer(bytes: try encoder.encode(value))
    }
}

extension JSONBody {
    /// The JSON that the server would send.
    static func bytes(_ value: some Encodable) -> [UInt8] {
        (try? encode(value)).map { Array($0.readableBytesView) } ?? []
    }

    static func value(_ value: some Encodable) -> JSONValue? { JSONValue(text: bytes(value)) }
}
