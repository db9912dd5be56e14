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
