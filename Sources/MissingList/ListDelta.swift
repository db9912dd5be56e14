import Beacons

/// What makes one version of the list from an earlier one.
public struct ListDelta: Sendable {
    /// The version that it changes.
    public let base: ListVersion
    /// The version that it makes.
    public let version: ListVersion
    /// Places of hashes in the earlier list, ascending.
    let removed: [UInt64]
    /// Ascending.
    let added: [TruncatedHash]
    let count: Int
    let digest: [UInt8]

    private static let length = 85

    /// The change that led to a list.
    ///
    /// - Parameters:
    ///   - list: the list as it is now.
    ///   - base: the version before.
    ///   - removed: hashes that were listed and are no more, in any order, each once.
    ///   - added: hashes that are listed and were not, in any order, each once.
    public init(
        to list: MissingIdentities, from base: ListVersion, removed: some Sequence<TruncatedHash>,
        added: some Sequence<TruncatedHash>
    ) {
        self.base = base
        version = list.version
        count = list.count
        digest = list.digest
        let added = added.sorted()
        // A hash's place before: its place now, without those that came, with those that went.
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

    /// - Parameter limit: what may be removed, and what may be added.
    init(_ header: ListHeader, _ bytes: [UInt8], limit: Int) throws(ListCodingError) {
        guard bytes.count >= Self.length else { throw .wrongLength }
        let span = bytes.span.bytes
        base = ListVersion(span, 60)
        version = header.version
        count = Int(header.count)
        digest = header.digest
        let removedCount = Int(span.bigEndian(76, as: UInt32.self))
        let addedCount = Int(span.bigEndian(80, as: UInt32.self))
        // Each costs memory before the whole can be checked.
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
    /// The list after a change; all of it or none.
    public func applying(_ delta: ListDelta) throws(ListCodingError) -> MissingIdentities {
        guard delta.base == version else { throw .otherVersion(delta.base) }
        guard count - delta.removed.count + delta.added.count == delta.count else { throw .malformed }
        let changed = try hashes.changed(removing: delta.removed, adding: delta.added)
        let list = MissingIdentities(version: delta.version, hashes: changed)
        guard list.digest == delta.digest else { throw .digestMismatch }
        return list
    }
}

/// What a registry sends: the list, or what changes it.
public enum ListMessage: Sendable {
    case full(MissingIdentities)
    case delta(ListDelta)

    /// Reads bytes that anybody may have made.
    ///
    /// - Parameter limit: entries of the list, before and after a change; checked before memory is taken for them.
    public init(_ bytes: [UInt8], limit: Int = MissingIdentities.maximumCount) throws(ListCodingError) {
        let header = try ListHeader(bytes)
        guard header.count <= limit else { throw .tooManyEntries(count: Int(header.count), limit: limit) }
        switch header.kind {
        case .full: self = .full(try MissingIdentities(header, bytes))
        case .delta: self = .delta(try ListDelta(header, bytes, limit: limit))
        }
    }
}
