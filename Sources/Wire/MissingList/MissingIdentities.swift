public import Beacons

/// The missing list in the form in which a station matches against it: the truncated hashes of the identities of all
/// bikes with an open report. A million hashes take 3.3 MB.
public struct MissingIdentities: Sendable {
    public let version: ListVersion
    public let hashes: TruncatedHashes
    /// SHA-256 of all hashes. Two sides compare it to check that they have the same list.
    public let digest: [UInt8]

    /// The default maximum number of entries, which take about 24 MB in memory.
    public static let maximumCount = 8_000_000

    /// Creates a list from identities in any order.
    public init(version: ListVersion, identities: some Sequence<BeaconIdentity>) {
        self.init(version: version, hashes: TruncatedHashes(identities.lazy.map { TruncatedHash(of: $0) }))
    }

    /// Creates a list from hashes.
    public init(version: ListVersion, hashes: TruncatedHashes) {
        self.version = version
        self.hashes = hashes
        digest = hashes.digest
    }

    /// The initial list of a station: nothing is missing.
    public static let empty = MissingIdentities(
        version: ListVersion(number: 0, mark: 0), identities: EmptyCollection()
    )

    /// The number of hashes on the list; two bikes in a list of a million may share one.
    public var count: Int { hashes.count }

    /// Whether the identity may be on the list. To look up every advertisement, use ``MissingMatcher``.
    public func contains(_ identity: BeaconIdentity) -> Bool { hashes.contains(TruncatedHash(of: identity)) }

    /// The next version of the list.
    ///
    /// - Parameters:
    ///   - removed: hashes that are listed, in any order. This is not checked: for any other hash, the next higher one
    ///     would be removed.
    ///   - added: hashes that are not listed, in any order.
    /// - Throws: `malformed` if an added hash is listed.
    public func changed(
        to version: ListVersion, removing removed: some Sequence<TruncatedHash>,
        adding added: some Sequence<TruncatedHash>
    ) throws(ListCodingError) -> MissingIdentities {
        let places = removed.map { UInt64(hashes.rank(of: $0)) }.sorted()
        return MissingIdentities(
            version: version, hashes: try hashes.changed(removing: places, adding: added.sorted())
        )
    }

    /// The full list as bytes (docs/missing-list.md).
    public var encoded: [UInt8] {
        let parameter = RiceParameter.best(for: count, below: TruncatedHash.limit)
        let header = ListHeader(.full, parameter: parameter, version: version, count: count, digest: digest)
        var writer = BitWriter(after: header.encoded)
        writer.appendAscending(hashes.lazy.map(\.value), parameter: parameter)
        return writer.finish()
    }

    /// The most bytes of a long list with this many entries whose writer chose a reasonable parameter: the best one, one
    /// less, or up to five more. Each entry then takes at most 8 bits more than the best parameter.
    public static func longestEncoding(count: Int) -> Int {
        let bits = min(40, Int(RiceParameter.best(for: count, below: TruncatedHash.limit)) + 8)
        return count * bits / 8
    }

    /// Decodes the message that has a header, whose count the caller has compared with the limit.
    ///
    /// - Throws: `wrongLength`, `malformed` or `digestMismatch`.
    init(_ header: ListHeader, _ bytes: [UInt8]) throws(ListCodingError) {
        var reader = BitReader(bytes, from: ListHeader.length)
        var builder = TruncatedHashes.Builder()
        // No more than the bytes can hold.
        builder.reserveCapacity(min(Int(header.count), reader.remaining / (Int(header.parameter) + 1)))
        try reader.readAscending(
            count: Int(header.count), parameter: header.parameter, below: TruncatedHash.limit
        ) { builder.append(TruncatedHash(value: $0)) }
        try reader.finish()
        self.init(version: header.version, hashes: builder.finish())
        guard digest == header.digest else { throw .digestMismatch }
    }
}
