import Beacons
import MissingList
import NIOCore
import Registry
import Synchronization

/// One version of the missing list with its encoded forms, each made when it is first requested.
final class PublishedList: Sendable {
    let list: MissingIdentities
    /// The number of identities with the same hash, if there is more than one:
    /// the hash stays listed until the last of them is removed.
    private let sharing: [TruncatedHash: Int]
    private let bodies = Mutex(Bodies())

    private struct Bodies {
        var full: ByteBuffer?
        var deltas: [ListVersion: ByteBuffer] = [:]
    }

    /// The number of earlier versions whose deltas are kept;
    /// for a station with a rarer version, the delta is computed.
    private static let deltaCapacity = 1024

    var version: ListVersion { list.version }

    init(_ snapshot: MissingListSnapshot) {
        var hashes = snapshot.identities.map { TruncatedHash(of: $0) }
        hashes += snapshot.concealed.map { TruncatedHash(of: $0) }
        hashes.sort()
        var sharing: [TruncatedHash: Int] = [:]
        for (hash, next) in zip(hashes, hashes.dropFirst()) where hash == next { sharing[hash, default: 1] += 1 }
        self.sharing = sharing
        list = MissingIdentities(version: snapshot.version, hashes: TruncatedHashes(hashes))
    }

    private init(_ list: MissingIdentities, sharing: [TruncatedHash: Int]) {
        self.list = list
        self.sharing = sharing
    }

    /// The version that the changes lead to, with its delta from this one; nil if they do not fit this one.
    func applying(_ changes: MissingListChanges) -> PublishedList? {
        guard changes.from == version else { return nil }
        var sharing = sharing
        var (removed, added): ([TruncatedHash], [TruncatedHash]) = ([], [])
        for (hash, difference) in Self.differences(changes) {
            let before = count(of: hash)
            let after = before + difference
            guard after >= 0 else { return nil }
            sharing[hash] = after > 1 ? after : nil
            if before == 0, after > 0 { added.append(hash) }
            if before > 0, after == 0 { removed.append(hash) }
        }
        guard let changed = try? list.changed(to: changes.to, removing: removed, adding: added) else { return nil }
        let next = PublishedList(changed, sharing: sharing)
        // All waiting stations have this version.
        next.keepDelta(from: version, removed: removed, added: added)
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
        var (removed, added): ([TruncatedHash], [TruncatedHash]) = ([], [])
        for (hash, difference) in Self.differences(changes) {
            let after = count(of: hash)
            let before = after - difference
            if before == 0, after > 0 { added.append(hash) }
            if before > 0, after == 0 { removed.append(hash) }
        }
        return keepDelta(from: changes.from, removed: removed, added: added)
    }

    @discardableResult
    private func keepDelta(
        from base: ListVersion, removed: [TruncatedHash], added: [TruncatedHash]
    ) -> ByteBuffer {
        let delta = ListDelta(to: list, from: base, removed: removed, added: added)
        let body = ByteBuffer(bytes: delta.encoded)
        bodies.withLock { bodies in
            if bodies.deltas.count < Self.deltaCapacity { bodies.deltas[base] = body }
        }
        return body
    }

    private func count(of hash: TruncatedHash) -> Int { sharing[hash] ?? (list.hashes.contains(hash) ? 1 : 0) }

    /// The change in the number of identities with each hash.
    private static func differences(_ changes: MissingListChanges) -> [TruncatedHash: Int] {
        var differences: [TruncatedHash: Int] = [:]
        differences.reserveCapacity(changes.added.count + changes.removed.count)
        for identity in changes.added { differences[TruncatedHash(of: identity), default: 0] += 1 }
        for identity in changes.removed { differences[TruncatedHash(of: identity), default: 0] -= 1 }
        return differences
    }
}
