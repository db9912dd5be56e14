/// The body of a webhook: several visits of a missing bike that were held back to be told at once.
///
/// The envelope is that of the Standard Webhooks specification: `type`, `timestamp`, `data`.
public struct SightingsDigest: Codable, Hashable, Sendable {
    /// Always `sightings.digest`.
    public var type: String
    public var timestamp: Timestamp
    public var data: Content

    public struct Content: Codable, Hashable, Sendable {
        public var bike: SightingAlert.BikeSummary
        public var report: ReportID
        /// How many there are.
        public var count: Int
        /// The latest of them, the latest first.
        public var sightings: [Sighting]
        /// For people: what, where, when.
        public var message: String
        /// What to do, and what not.
        public var advice: String

        public init(
            bike: SightingAlert.BikeSummary, report: ReportID, count: Int, sightings: [Sighting], message: String,
            advice: String
        ) {
            self.bike = bike
            self.report = report
            self.count = count
            self.sightings = sightings
            self.message = message
            self.advice = advice
        }
    }

    public init(timestamp: Timestamp, data: Content) {
        type = "sightings.digest"
        self.timestamp = timestamp
        self.data = data
    }
}
