public import Evidence

/// The result of verifying a chain without a fault.
public struct AuditVerification: Hashable, Sendable {
    /// The number of entries that were followed.
    public var entries: Int64
    /// The number of these entries whose content was erased.
    public var erased: Int64
    /// The length of the whole chain.
    public var length: Int64
    /// The chain hash of the last entry that was followed.
    public var end: HashValue
    /// The number of stored checkpoints; the chain agrees with all of them.
    public var checkpoints: Int64
    /// The other data that agrees with the entries; nil if only a part of the chain was followed.
    public var contents: Contents?

    /// The data that the audit has records of.
    public struct Contents: Hashable, Sendable {
        /// The number of sightings that match their records.
        public var sightings: Int64
        /// The number of these that have continued since their record: their last time, count and signal strength are
        /// not recorded yet.
        public var growing: Int64
        /// The number of sightings whose stored reasons could not be compared: they are being judged again, or have so
        /// many neighbours that the reasons depend on the order.
        public var unjudged: Int64

        public init(sightings: Int64 = 0, growing: Int64 = 0, unjudged: Int64 = 0) {
            self.sightings = sightings
            self.growing = growing
            self.unjudged = unjudged
        }
    }

    public init(
        entries: Int64, erased: Int64, length: Int64, end: HashValue, checkpoints: Int64 = 0, contents: Contents? = nil
    ) {
        self.contents = contents
        self.entries = entries
        self.erased = erased
        self.length = length
        self.end = end
        self.checkpoints = checkpoints
    }
}
