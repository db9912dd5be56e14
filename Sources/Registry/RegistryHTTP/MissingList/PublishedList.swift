import MissingList
import NIOCore
import RegistryRules
import Synchronization

/// One version of the missing list with its encoded forms, each made when it is first requested.
final class PublishedList: Sendable {
    private let identities: CountedIdentities
    private let bodies = Mutex(Bodies())

    private struct Bodies {
        var full: ByteBuffer?
        var deltas: [ListVersion: ByteBuffer] = [:]
    }

    /// The number of earlier versions whose deltas are kept;
    /// for a station with a rarer version, the delta is computed.
    private static let deltaCapacity = 1024

    /// The hashes of the list.
    var list: MissingIdentities { identities.list }
    var version: ListVersion { list.version }

    init(_ snapshot: MissingListSnapshot) {
        identities = CountedIdentities(
            version: snapshot.version, identities: snapshot.identities + snapshot.concealed,
            others: snapshot.partners)
    }

    private init(_ identities: CountedIdentities) { self.identities = identities }

    /// The version that the changes lead to, with its delta from this one; nil if they do not fit this one.
    func applying(_ changes: MissingListChanges) -> PublishedList? {
        guard changes.from == version,
            let (identities, delta) = identities.changed(
                to: changes.to, removing: changes.removed, adding: changes.added, others: changes.partners)
        else { return nil }
        let next = PublishedList(identities)
        // All waiting stations have this version.
        next.keep(delta)
        return next
    }

    /// The encoded full list.
    var full: ByteBuffer {
        bodies.withLock { bodies in
            if let full = bodies.full { return full }
            let full = ByteBuffer(bytes: list.encoded)
            bodies.full = full
            return full
        }
    }

    /// The delta from an earlier version to this one, if it was requested before; otherwise nil.
    func delta(from base: ListVersion) -> ByteBuffer? {
        bodies.withLock { $0.deltas[base] }
    }

    /// The delta from an earlier version to this one; nil if the changes lead to another version.
    func delta(_ changes: MissingListChanges) -> ByteBuffer? {
        guard changes.to == version else { return nil }
        return keep(
            identities.delta(
                from: changes.from, removed: changes.removed, added: changes.added, others: changes.partners))
    }

    /// Encodes a delta to this version, and keeps it if there is room.
    @discardableResult
    private func keep(_ delta: ListDelta) -> ByteBuffer {
        let body = ByteBuffer(bytes: delta.encoded)
        bodies.withLock { bodies in
            if bodies.deltas.count < Self.deltaCapacity { bodies.deltas[delta.base] = body }
        }
        return body
    }
}
