public import RegistryAPI

/// `coverage.json`: when stations near the search were listening for the beacon and had not reported it.
///
/// It does not prove that the beacon was elsewhere. Stations appear without name and place, because a thief could
/// report a bike missing to learn where stations are.
public struct EvidenceCoverage: Codable, Hashable, Sendable {
    /// The period that was examined; absent if the beacon was not on the missing list, or if it is no longer known when
    /// it was heard.
    public var from: Timestamp?
    /// The end of the period; absent together with ``from``.
    public var until: Timestamp?
    /// The stations with at least one span, in the order of their identifiers.
    public var stations: [ListeningStation]
    /// The number of all spans; more than the included ones if there are too many.
    public var allSpans: Int

    /// Nothing is known.
    public static let none = EvidenceCoverage(from: nil, until: nil, stations: [], allSpans: 0)

    public init(from: Timestamp?, until: Timestamp?, stations: [ListeningStation], allSpans: Int) {
        self.from = from
        self.until = until
        self.stations = stations
        self.allSpans = allSpans
    }

    /// The number of included spans.
    public var spans: Int { stations.reduce(0) { $0 + $1.spans.count } }

    /// The coverage with only the newest spans, at most as many as the limit; spans that end at the same time are left
    /// out together.
    public func newest(_ limit: Int) -> EvidenceCoverage {
        let ends = stations.flatMap(\.spans).map(\.until).sorted(by: >)
        guard let newestLeftOut = ends.dropFirst(limit).first else { return self }
        var newest = self
        newest.stations = stations.compactMap { station in
            var station = station
            station.spans.removeAll { $0.until <= newestLeftOut }
            return station.spans.isEmpty ? nil : station
        }
        return newest
    }
}

/// A station that was listening.
public struct ListeningStation: Codable, Hashable, Sendable {
    public var id: StationID
    /// The area in which it is located.
    public var area: CoverageArea
    /// In the order of time, with gaps between them.
    public var spans: [ListeningSpan]

    public init(id: StationID, area: CoverageArea, spans: [ListeningSpan]) {
        self.id = id
        self.area = area
        self.spans = spans
    }
}

/// A time during which a station was listening for the beacon and had not reported it.
public struct ListeningSpan: Codable, Hashable, Sendable {
    /// The start of a quarter of an hour in UTC.
    public var from: Timestamp
    /// The end of the same or a later quarter.
    public var until: Timestamp
    /// Seconds in which the radio demonstrably worked, at least ``leastListened`` for each quarter.
    public var listened: Int

    /// The minimum for a quarter of an hour to count. A radio that demonstrably works, because it hears something at
    /// least once a minute, can still lose a minute at the end of a quarter.
    public static let leastListened = 840

    public init(from: Timestamp, until: Timestamp, listened: Int) {
        self.from = from
        self.until = until
        self.listened = listened
    }
}

/// An area of a hundredth of a degree each way, about a kilometre, given by its centre.
///
/// A comparison of many evidence packs about made-up places reveals no more about a station than its area.
public struct CoverageArea: Codable, Hashable, Sendable {
    /// Degrees, rounded to hundredths.
    public var latitude: Double
    public var longitude: Double

    /// The area that contains a place.
    public init(of place: Place) {
        // Adding zero turns negative zero into positive zero, so that each area has only one text.
        latitude = (place.latitude * 100).rounded() / 100 + 0
        longitude = (place.longitude * 100).rounded() / 100 + 0
    }

    public var centre: Place { Place(latitude: latitude, longitude: longitude) }
}
