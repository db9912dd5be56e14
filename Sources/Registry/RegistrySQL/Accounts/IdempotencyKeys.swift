import Foundation
import RegistryAPI
import RegistryRules

/// Idempotency keys, with the resources that the first calls created.
package struct IdempotencyKeys {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The identifier of the resource that the first call with this key created; nil if this call is the first, or has
    /// no key.
    ///
    /// - Throws: `idempotencyKeyReused` if the first call was a different request.
    func resource(of once: IdempotencyKey?) throws -> Data? {
        guard let once,
            let row = try db.row(
                "SELECT request, resource FROM once WHERE principal = ? AND key = ? AND created >= ?",
                [once.principal.blob, once.key, once.oldest]
            )
        else { return nil }
        guard try row["request"] == once.request.blob else { throw DomainError.idempotencyKeyReused }
        return try row["resource"]
    }

    /// Stores the identifier of the resource that this call created, and deletes expired keys. Does nothing without a
    /// key.
    func remember(_ once: IdempotencyKey?, resource: Data) throws {
        guard let once else { return }
        try db.run("DELETE FROM once WHERE created < ?", [once.oldest])
        try db.run(
            "INSERT INTO once (principal, key, request, resource, created) VALUES (?, ?, ?, ?, ?)",
            [once.principal.blob, once.key, once.request.blob, resource, once.time.milliseconds]
        )
    }
}

extension IdempotencyKey {
    /// Keys created before this time, in milliseconds, have expired.
    fileprivate var oldest: Int64 { time.advanced(by: .zero - Self.lifetime).milliseconds }
}
