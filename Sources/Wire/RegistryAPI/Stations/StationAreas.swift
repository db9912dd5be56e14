/// What anyone may know about a registry before they sign up: response to `GET /v1/about`.
public struct RegistryDescription: Codable, Hashable, Sendable {
    /// Who runs it; absent if the registry does not say so.
    public var `operator`: Operator?
    public var stations: StationAreas
    /// The partner registries whose stations search, too, as they said within the last days; absent if there are none.
    public var partners: [PartnerAreas]?

    /// The person or organisation that runs a registry, in their own words.
    public struct Operator: Codable, Hashable, Sendable {
        public var name: String?
        /// How to reach them: a `mailto:`, `https:` or `tel:` address.
        public var contact: String?

        public init(name: String?, contact: String?) {
            self.name = name
            self.contact = contact
        }
    }

    public init(operator: Operator?, stations: StationAreas, partners: [PartnerAreas]? = nil) {
        self.operator = `operator`
        self.stations = stations
        self.partners = partners
    }
}

/// How many stations of a partner registry listen, as it says itself.
public struct PartnerAreas: Codable, Hashable, Sendable {
    /// Its name, as this registry's operator calls it.
    public var registry: String
    public var stations: StationAreas

    public init(registry: String, stations: StationAreas) {
        self.registry = registry
        self.stations = stations
    }
}

/// How many stations listen, and roughly where: counts in fields of ``size`` degrees, so that no venue can be found.
public struct StationAreas: Codable, Hashable, Sendable {
    /// The number of stations that hear beacons now.
    public var listening: Int
    /// The fields with at least ``fewest`` of them, at most ``most``, those with the most stations first.
    public var areas: [Area]

    /// A field of the grid.
    public struct Area: Codable, Hashable, Sendable {
        /// The degrees of its centre.
        public var latitude: Double
        public var longitude: Double
        public var stations: Int

        public init(latitude: Double, longitude: Double, stations: Int) {
            self.latitude = latitude
            self.longitude = longitude
            self.stations = stations
        }
    }

    /// The height and the width of a field in degrees: 11 km, and at 50° north 7 km.
    public static let size = 0.1
    /// The minimum number of stations for a field to be listed. With fewer, somebody who knows the district could guess
    /// them.
    public static let fewest = 5
    /// The maximum number of fields that are listed.
    public static let most = 200

    public init(listening: Int, areas: [Area]) {
        self.listening = listening
        self.areas = areas
    }

    /// Counts the stations that listen.
    public init(_ map: StationMap) {
        var counts: [Field: Int] = [:]
        var listening = 0
        for mark in map.stations where mark.state == .listening {
            listening += 1
            if let field = Field(mark) { counts[field, default: 0] += 1 }
        }
        let areas = counts.filter { $0.value >= Self.fewest }
            .sorted { ($1.value, $0.key.row, $0.key.column) < ($0.value, $1.key.row, $1.key.column) }
            .prefix(Self.most).map { $0.key.area(of: $0.value) }
        self.init(listening: listening, areas: areas)
    }

    /// The same within bounds: what another registry says of itself may be anything.
    ///
    /// - Parameter most: the maximum number of fields.
    public func bounded(to most: Int = Self.most) -> StationAreas {
        let sound = areas.filter { (-90...90).contains($0.latitude) && (-180...180).contains($0.longitude) }
            .filter { (Self.fewest...Self.mostStations).contains($0.stations) }
        return StationAreas(listening: min(max(0, listening), Self.mostStations), areas: Array(sound.prefix(most)))
    }

    /// The most stations that are believed of another registry.
    public static let mostStations = 100_000

    /// A field of the grid, by the number of its row from the equator and of its column from Greenwich.
    private struct Field: Hashable {
        let row: Int
        let column: Int

        /// Nil for a place that is not on Earth.
        init?(_ mark: StationMap.Mark) {
            guard let row = Int(exactly: (mark.latitude / size).rounded(.down)),
                let column = Int(exactly: (mark.longitude / size).rounded(.down))
            else { return nil }
            self.row = row
            self.column = column
        }

        func area(of stations: Int) -> Area {
            Area(latitude: Self.centre(row), longitude: Self.centre(column), stations: stations)
        }

        /// The degrees of the centre of a row or column.
        private static func centre(_ number: Int) -> Double { ((Double(number) + 0.5) * size * 100).rounded() / 100 }
    }
}
