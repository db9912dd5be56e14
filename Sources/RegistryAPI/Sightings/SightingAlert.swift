/// The body of a webhook: one visit of a missing bike.
///
/// The envelope is that of the Standard Webhooks specification: `type`, `timestamp`, `data`.
public struct SightingAlert: Codable, Hashable, Sendable {
    /// Always `sighting.created`, or `sighting.updated` where it says something new of a visit that was told before.
    public var type: String
    public var timestamp: Timestamp
    public var data: Content

    public struct Content: Codable, Hashable, Sendable {
        public var bike: BikeSummary
        public var report: ReportID
        public var sighting: Sighting
        /// One sentence for people: what, where, when.
        public var message: String
        /// How sure it is, and why.
        public var certainty: String
        /// What to do, and what not.
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
