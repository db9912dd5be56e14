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
    let count: Int
    let digest: [UInt8]

    private static let length = 85

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
        var came = added[...]
        self.removed = removed.sorted().enumerated().map { gone, hash in
            came = came.drop { $0 < hash }
            return UInt64(list.hashes.rank(of: hash) - came.startIndex + gone)
        }
        self.added = added
    }

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

    /// - Parameter limit: the maximum number of removed hashes, and of added hashes.
    init(_ header: ListHeader, _ bytes: [UInt8], limit: Int) throws(ListCodingError) {
        guard bytes.count >= Self.length else { throw .wrongLength }
        let span = bytes.span.bytes
        base = ListVersion(span, 60)
        version = header.version
        count = Int(header.count)
        digest = header.digest
        let removedCount = Int(span.bigEndian(76, as: UInt32.self))
        let addedCount = Int(span.bigEndian(80, as: UInt32.self))
        // Each entry takes memory before the whole can be verified.
        for announced in [removedCount, addedCount] where announced > limit {
            throw .tooManyEntries(count: announced, limit: limit)
        }
        let earlierCount = count + removedCount - addedCount
        guard earlierCount >= 0 else { throw .malformed }
        var reader = BitReader(bytes, from: Self.length)
        var removed: [UInt64] = []
        try reader.readAscending(count: removedCount, parameter: bytes[84], below: UInt64(earlierCount)) {
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
    public func applying(_ delta: ListDelta) throws(ListCodingError) -> MissingIdentities {
        guard delta.base == version else { throw .otherVersion(delta.base) }
        guard count - delta.removed.count + delta.added.count == delta.count else { throw .malformed }
        let changed = try hashes.changed(removing: delta.removed, adding: delta.added)
        let list = MissingIdentities(version: delta.version, hashes: changed)
        guard list.digest == delta.digest else { throw .digestMismatch }
        return list
    }
}

/// A message from a registry: the full list or a delta.
public enum ListMessage: Sendable {
    case full(MissingIdentities)
    case delta(ListDelta)

    /// Decodes untrusted bytes.
    ///
    /// - Parameter limit: the maximum number of entries, before and after a delta; checked before memory is allocated.
    public init(_ bytes: [UInt8], limit: Int = MissingIdentities.maximumCount) throws(ListCodingError) {
        let header = try ListHeader(bytes)
        guard header.count <= limit else { throw .tooManyEntries(count: Int(header.count), limit: limit) }
        switch header.kind {
        case .full: self = .full(try MissingIdentities(header, bytes))
        case .delta: self = .delta(try ListDelta(header, bytes, limit: limit))
        }
    }
}
