import Crypto
import NIOCore
import Registry
import RegistryAPI
import Synchronization

/// Keeps the encoded missing list until its version changes, so that most questions cost one small read.
final class MissingListCache: Sendable {
    struct Entry: Sendable {
        let version: UInt64
        let body: ByteBuffer
        /// Strong: the version, and a part of the body's hash, since a restored backup may count the same versions
        /// again.
        let entityTag: String
    }

    private let operations: RegistryOperations
    private let entry = Mutex<Entry?>(nil)

    init(operations: RegistryOperations) { self.operations = operations }

    func current() async throws -> Entry {
        let version = try await operations.missingListVersion()
        if let entry = entry.withLock({ $0 }), entry.version == version { return entry }
        let fresh = try Self.entry(try await operations.missingList())
        entry.withLock { $0 = fresh }
        return fresh
    }

    private static func entry(_ list: MissingListDocument) throws -> Entry {
        let body = try JSONBody.encode(list)
        let hash = SHA256.hash(data: Array(body.readableBytesView)).prefix(8)
        let digits = hash.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
        return Entry(version: list.version, body: body, entityTag: "\"\(list.version)-\(digits)\"")
    }
}
