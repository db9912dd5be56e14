import HTTPClient
import RegistryAPI

// Changes to what the caller has just seen: the resource is read, and changed only if it still is so.
extension RegistryConnection {
    func changeSeen<Body: Encodable, Answer: Decodable>(
        _ path: String, _ method: HTTPRequest.Method, _ body: Body, to subpath: String = "",
        recoveryCode: String? = nil
    ) async throws -> Answer {
        let headers = try await seen(path) + Self.confirmation(recoveryCode)
        let request = request(method, path + subpath, headers: headers, body: try Self.encode(body))
        return try Self.decode(try Self.checked(await exchange(request)))
    }

    func removeSeen(_ path: String, recoveryCode: String?) async throws {
        let headers = try await seen(path) + Self.confirmation(recoveryCode)
        _ = try Self.checked(await exchange(request(.delete, path, headers: headers)))
    }

    private func seen(_ path: String) async throws -> [(name: String, value: String)] {
        let response = try Self.checked(await exchange(request(.get, path)))
        guard let tag = response[header: "etag"] else { throw RegistryError.malformedAnswer("an ETag is missing") }
        return [("If-Match", tag)]
    }

    static func confirmation(_ recoveryCode: String?) -> [(name: String, value: String)] {
        recoveryCode.map { [(RecoveryCodeField.name, $0)] } ?? []
    }

    /// A body as it was received.
    func body(_ path: String) async throws -> [UInt8] {
        try Self.checked(await exchange(request(.get, path))).body
    }
}
