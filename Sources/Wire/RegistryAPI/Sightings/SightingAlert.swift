/// The body of a webhook: one visit by a missing bike.
///
/// The envelope is that of the Standard Webhooks specification: `type`, `timestamp`, `data`.
public struct SightingAlert: Codable, Hashable, Sendable {
    /// The type of message: `sighting.created`, or `sighting.updated` for an update to an earlier visit.
    public var type: String
    public var timestamp: Timestamp
    public var data: Content

    /// The sighting, and the bike that it is of.
    public struct Content: Codable, Hashable, Sendable {
        public var bike: BikeSummary
        public var report: ReportID
        public var sighting: Sighting
        /// One sentence for people: the bike, the place and the time.
        public var message: String
        /// The level of confidence and its reasons, in words.
        public var certainty: String
        /// Advice on what to do, and what not to do.
        public var advice: String

        public init(
            bike: BikeSummary, report: ReportID, sighting: Sighting, message: String, certainty: String, advice: String
        ) {
            self.bike = bike
            self.report = report
            self.sighting = sighting
            self.message = message
            self.certainty = certainty
            self.advice = advice
        }
    }

    /// What names a bike for its owner.
    public struct BikeSummary: Codable, Hashable, Sendable {
        public var id: BikeID
        public var kind: BikeKind
        public var make: String
        public var model: String

        public init(id: BikeID, kind: BikeKind, make: String, model: String) {
            self.id = id
            self.kind = kind
            self.make = make
            self.model = model
        }
    }

    public init(isUpdate: Bool = false, timestamp: Timestamp, data: Content) {
        type = isUpdate ? "sighting.updated" : "sighting.created"
        self.timestamp = timestamp
        self.data = data
    }
}
