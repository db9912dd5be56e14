import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistryRules

extension Request {
    /// The key under which this call happens once; nil if the caller sent none.
    ///
    /// The values in the body are compared, not its bytes: encoders may order fields differently at each attempt.
    func onceKey(of principal: Principal, value: some Encodable, at time: Timestamp) throws -> IdempotencyKey? {
        // Encoded only if needed.
        guard try idempotencyKey() != nil else { return nil }
        return try onceKey(of: principal, body: Array(try JSONBody.encode(value).readableBytesView), at: time)
    }

    /// The key under which this call with a body that is not JSON happens once; nil if the caller sent none.
    func onceKey(of principal: Principal, body: [UInt8], at time: Timestamp) throws -> IdempotencyKey? {
        guard let key = try idempotencyKey() else { return nil }
        let request = SecretDigest(of: Array("\(method.rawValue) \(uri.path)\n".utf8) + body)
        return IdempotencyKey(principal: principal, key: key, request: request, time: time)
    }

    /// The value of `Idempotency-Key`; nil if the caller sent none.
    ///
    /// - Throws: `invalidIdempotencyKey` unless it has 1 to 255 visible ASCII characters.
    func idempotencyKey() throws -> String? {
        guard let key = headers[.idempotencyKey] else { return nil }
        let isPrintable = key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard (1...255).contains(key.utf8.count), isPrintable else { throw RequestError.invalidIdempotencyKey }
        return key
    }
}
