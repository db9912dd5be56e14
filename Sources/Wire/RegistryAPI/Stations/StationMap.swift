/// All stations that are not revoked, as short rows for a map: response to `GET /v1/station-map`.
public struct StationMap: Hashable, Sendable {
    /// The maximum number of stations in a map.
    public static let most = 20_000

    public var stations: [Mark]
    /// Whether there are more stations than ``most``.
    public var more: Bool

    /// A station on the map.
    public struct Mark: Hashable, Sendable {
        public var id: StationID
        public var name: String
        /// Degrees, north positive.
        public var latitude: Double
        /// Degrees, east positive.
        public var longitude: Double
        public var state: Station.State
        /// The time of the last heartbeat; nil before the first.
        public var heartbeat: Timestamp?

        public init(
            id: StationID, name: String, latitude: Double, longitude: Double, state: Station.State,
            heartbeat: Timestamp?
        ) {
            self.id = id
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
            self.state = state
            self.heartbeat = heartbeat
        }
    }

    public init(stations: [Mark], more: Bool = false) {
        self.stations = stations
        self.more = more
    }

    /// The JSON text. A row has no names of fields, which would be most of it.
    public var json: [UInt8] {
        var json = JSONWriter(capacity: 64 + stations.count * 128)
        json.object { json in
            json.member("more") { $0.boolean(more) }
            json.member("stations") { $0.array(stations) { $0.row($1) } }
        }
        return json.bytes
    }

    /// The schema of the JSON text.
    public static var schema: JSONSchema {
        // OpenAPI tools do not agree about `prefixItems`, which would give each place in the row its own schema.
        let parts: [JSONSchema] = [
            .uuid, .type("string"), .number(-180...180),
            .choice(Station.State.allCases.filter { $0 != .revoked }.map(\.rawValue)), JSONSchema.dateTime.orNull,
        ]
        let row = JSONSchema.array(of: JSONSchema.anyOf(parts), 6...6)
        return .object(
            ["more": .type("boolean"), "stations": .array(of: row, 0...most)], required: ["more", "stations"])
    }
}

extension JSONWriter {
    /// Writes identifier, name, latitude, longitude, state and heartbeat.
    fileprivate mutating func row(_ mark: StationMap.Mark) {
        open("[")
        id(mark.id)
        append(UInt8(ascii: ","))
        string(mark.name)
        append(UInt8(ascii: ","))
        number(Self.rounded(mark.latitude))
        append(UInt8(ascii: ","))
        number(Self.rounded(mark.longitude))
        append(UInt8(ascii: ","))
        string(mark.state.rawValue)
        append(UInt8(ascii: ","))
        if let heartbeat = mark.heartbeat { string("\(heartbeat)") } else { null() }
        close("]")
    }

    /// Degrees to five decimals, about a metre.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 100_000).rounded() / 100_000 }
}
