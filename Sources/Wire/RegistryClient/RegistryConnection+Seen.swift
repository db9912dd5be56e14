import HTTPClient
import RegistryAPI

// Changes to a resource that the caller has just seen: the connection reads the resource again, and changes it only if
// it is unchanged.
extension RegistryConnection {
    func changeSeen<Body: Encodable, Answer: Decodable>(
        _ path: String, _ method: HTTPRequest.Method, _ body: Body, to subpath: String = "",
        recoveryCode: String? = nil, isRepeatable: Bool = false
    ) async throws -> Answer {
        let body = try Self.encode(body)
        func change(after seen: HTTPResponse) async throws -> HTTPResponse {
            let headers = try Self.match(seen) + Self.confirmation(recoveryCode)
            return try await attempt(request(method, path + subpath, headers: headers, body: body))
        }
        guard isRepeatable else { return try Self.decode(await change(after: answer(to: request(.get, path)))) }
        // A retry reads again, because a change whose response was lost has changed the tag.
        return try Self.decode(await repeating { try await change(after: attempt(request(.get, path))) })
    }

    func removeSeen(_ path: String, recoveryCode: String?) async throws {
        let seen = try await answer(to: request(.get, path))
        let headers = try Self.match(seen) + Self.confirmation(recoveryCode)
        _ = try await attempt(request(.delete, path, headers: headers))
    }

    private static func match(_ seen: HTTPResponse) throws(RegistryError) -> [(name: String, value: String)] {
        guard let tag = seen[header: "etag"] else { throw .malformedAnswer("an ETag is missing") }
        return [("If-Match", tag)]
    }

    static func confirmation(_ recoveryCode: String?) -> [(name: String, value: String)] {
        recoveryCode.map { [(RecoveryCodeField.name, $0)] } ?? []
    }
}
