/// What a replay found in its capture, from the first byte to the last.
public struct ReplaySummary: Hashable, Sendable {
    /// Records of any kind.
    public internal(set) var records = 0
    /// Advertising reports delivered.
    public internal(set) var reports = 0
    /// Events that lie about their lengths; see ``HCIEventParser``.
    public internal(set) var malformed = 0
    /// Extended reports that lost their end; most are delivered as far as they came.
    public internal(set) var truncatedReports = 0
    /// Where the file breaks off; nil if it ends with a whole record.
    public internal(set) var truncation: CaptureTruncation?

    init() {}
}
