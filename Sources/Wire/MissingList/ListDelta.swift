import Beacons

/// The changes from an earlier version of the list to a later one.
public struct ListDelta: Sendable {
    /// The version that the delta applies to.
    public let base: ListVersion
    /// The version that the delta leads to.
    public let version: ListVersion
    /// Indices of hashes in the earlier list, ascending.
    let removed: [UInt64]
    /// Added hashes, ascending.
    let added: [TruncatedHash]
    /// The number of hashes in the later list.
    let count: Int
    /// The digest of the later list.
    let digest: [UInt8]

    /// The positions of fields in the message (docs/missing-list.md), after the header.
    private enum Offset {
        static let base = ListHeader.length
        static let removedCount = base + 16
        static let addedCount = removedCount + 4
        static let removedParameter = addedCount + 4
        static let codes = removedParameter + 1
    }

    /// Creates the delta that led to a list.
    ///
    /// - Parameters:
    ///   - list: the current list.
    ///   - base: the previous version.
    ///   - removed: hashes that are no longer listed, each once, in any order.
    ///   - added: hashes that are newly listed, each once, in any order.
    public init(
        to list: MissingIdentities, from base: ListVersion, removed: some Sequence<TruncatedHash>,
        added: some Sequence<TruncatedHash>
    ) {
        self.base = base
        version = list.version
        count = list.count
        digest = list.digest
        let added = added.sorted()
        // A hash's earlier index is its current index, minus the added hashes before it, plus the removed ones.
        var addedAfter = added[...]
        self.removed = removed.sorted().enumerated().map { removedBefore, hash in
            addedAfter = addedAfter.drop { $0 < hash }
            let addedBefore = addedAfter.startIndex
            return UInt64(list.hashes.rank(of: hash) - addedBefore + removedBefore)
        }
        self.added = added
    }

    /// The delta as bytes (docs/missing-list.md).
    public var encoded: [UInt8] {
        let addedParameter = RiceParameter.best(for: added.count, below: TruncatedHash.limit)
        let removedParameter = RiceParameter.best(
            for: removed.count, below: UInt64(count + removed.count - added.count)
        )
        let header = ListHeader(.delta, parameter: addedParameter, version: version, count: count, digest: digest)
        var bytes = header.encoded
        bytes.append(base)
        bytes.appendBigEndian(UInt32(removed.count))
        bytes.appendBigEndian(UInt32(added.count))
        bytes.append(removedParameter)
        var writer = BitWriter(after: bytes)
        writer.appendAscending(removed, parameter: removedParameter)
        writer.appendAscending(added.lazy.map(\.value), parameter: addedParameter)
        return writer.finish()
    }

    /// Decodes the message that has a header. Whether the delta leads to the list of the header shows only when it is
    /// applied.
    ///
    /// - Parameter limit: the maximum number of removed hashes, and of added hashes.
    /// - Throws: `wrongLength`, `tooManyEntries` or `malformed`.
    init(_ header: ListHeader, _ bytes: [UInt8], limit: Int) throws(ListCodingError) {
        guard bytes.count >= Offset.codes else { throw .wrongLength }
        let span = bytes.span.bytes
        base = ListVersion(span, Offset.base)
        version = header.version
        count = Int(header.count)
        digest = header.digest
        let removedCount = Int(span.bigEndian(Offset.removedCount, as: UInt32.self))
        let addedCount = Int(span.bigEndian(Offset.addedCount, as: UInt32.self))
        // Each entry takes memory before the whole can be verified.
        for announced in [removedCount, addedCount] where announced > limit {
            throw .tooManyEntries(count: announced, limit: limit)
        }
        let earlierCount = count + removedCount - addedCount
        guard earlierCount >= 0 else { throw .malformed }
        var reader = BitReader(bytes, from: Offset.codes)
        var removed: [UInt64] = []
        let removedParameter = bytes[Offset.removedParameter]
        try reader.readAscending(count: removedCount, parameter: removedParameter, below: UInt64(earlierCount)) {
            removed.append($0)
        }
        var added: [TruncatedHash] = []
        try reader.readAscending(count: addedCount, parameter: header.parameter, below: TruncatedHash.limit) {
            added.append(TruncatedHash(value: $0))
        }
        try reader.finish()
        self.removed = removed
        self.added = added
    }
}

extension MissingIdentities {
    /// The list with a delta applied, completely or not at all.
    ///
    /// - Throws: `otherVersion` if the delta is not for this version; `malformed` or `digestMismatch` if it does not lead
    ///   to the list that its header announces.
    public func applying(_ delta: ListDelta) throws(ListCodingError) -> MissingIdentities {
        guard delta.base == version else { throw .otherVersion(delta.base) }
        guard count - delta.removed.count + delta.added.count == delta.count else { throw .malformed }
        let changed = try hashes.changed(removing: delta.removed, adding: delta.added)
        let list = MissingIdentities(version: delta.version, hashes: changed)
        guard list.digest == delta.digest else { throw .digestMismatch }
        return list
    }
}
