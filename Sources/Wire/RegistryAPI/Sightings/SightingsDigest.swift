/// The body of a webhook: several visits by a missing bike that were held back to be sent together.
///
/// The envelope is that of the Standard Webhooks specification: `type`, `timestamp`, `data`.
public struct SightingsDigest: Codable, Hashable, Sendable {
    /// The type of message, always `sightings.digest`.
    public var type: String
    public var timestamp: Timestamp
    public var data: Content

    /// The sightings, and the bike that they are of.
    public struct Content: Codable, Hashable, Sendable {
        public var bike: SightingAlert.BikeSummary
        public var report: ReportID
        /// The number of sightings.
        public var count: Int
        /// The latest sightings, with the latest first.
        public var sightings: [Sighting]
        /// The message for people: the bike, the places and the times.
        public var message: String
        /// Advice on what to do, and what not to do.
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
