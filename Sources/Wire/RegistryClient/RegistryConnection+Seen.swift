import HTTPClient
import RegistryAPI

// Changes to a resource that the caller has just seen: the connection reads the resource again, and changes it only if
// it is unchanged.
extension RegistryConnection {
    /// Reads a resource, and sends a change with its entity tag.
    ///
    /// - Parameters:
    ///   - path: the path of the resource.
    ///   - subpath: the path of the change after that of the resource; empty to change the resource itself.
    ///   - isRepeatable: whether the change may be made twice, so that it can be retried.
    /// - Returns: the body of the response to the change.
    func changeSeen<Body: Encodable, Answer: Decodable>(
        _ path: String, _ method: HTTPRequest.Method, _ body: Body, to subpath: String = "",
        recoveryCode: String? = nil, isRepeatable: Bool = false
    ) async throws -> Answer {
        let body = try Self.encode(body)
        func sendChange(after seen: HTTPResponse) async throws -> HTTPResponse {
            let headers = try Self.precondition(seen) + Self.confirmation(recoveryCode)
            return try await attempt(request(method, path + subpath, headers: headers, body: body))
        }
        guard isRepeatable else {
            let seen = try await answer(to: request(.get, path))
            return try Self.decode(await sendChange(after: seen))
        }
        // A retry reads again, because a change whose response was lost has changed the tag.
        let response = try await repeating {
            let seen = try await attempt(request(.get, path))
            return try await sendChange(after: seen)
        }
        return try Self.decode(response)
    }

    /// Reads a resource, and removes it if it still has the same entity tag. Only the reading is retried.
    func removeSeen(_ path: String, recoveryCode: String?) async throws {
        let seen = try await answer(to: request(.get, path))
        let headers = try Self.precondition(seen) + Self.confirmation(recoveryCode)
        _ = try await attempt(request(.delete, path, headers: headers))
    }

    /// The header field that lets a change happen only if the resource still has this entity tag.
    private static func precondition(_ seen: HTTPResponse) throws(RegistryError) -> [(name: String, value: String)] {
        guard let tag = seen[header: "etag"] else { throw .malformedAnswer("an ETag is missing") }
        return [("If-Match", tag)]
    }

    /// The header field with a recovery code; none without a code.
    static func confirmation(_ recoveryCode: String?) -> [(name: String, value: String)] {
        recoveryCode.map { [(RecoveryCodeField.name, $0)] } ?? []
    }
}
