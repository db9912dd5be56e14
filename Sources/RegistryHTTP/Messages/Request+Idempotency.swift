import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

extension Request {
    /// The key under which this call happens once; nil where the caller sent none.
    func onceKey(of principal: Principal, body: [UInt8], at time: Timestamp) throws -> OnceKey? {
        guard let name = HTTPField.Name("Idempotency-Key"), let key = headers[name] else { return nil }
        let isPrintable = key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard (1...255).contains(key.utf8.count), isPrintable else { throw RequestError.invalidIdempotencyKey }
        let request = SecretDigest(of: Array("\(method.rawValue) \(uri.path)\n".utf8) + body)
        return OnceKey(principal: principal, key: key, request: request, time: time)
    }

    /// Reads the body by a rule together with the key that makes the call happen once.
    func creation<Value>(
        _ rule: FieldRule<Value>, of principal: Principal, at time: Timestamp
    ) async throws -> (value: Value, once: OnceKey?) {
        let body = try await jsonBody()
        let once = try onceKey(of: principal, body: body, at: time)
        return (try parse(body, as: rule, unknownFields: .refused), once)
    }
}
