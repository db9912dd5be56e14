public import Simulation
import Syntax

/// What a map contains for a plan: streets, places for stations, and points. From GeoJSON (RFC 7946), also as a
/// sequence of features (RFC 8142), as `osmium export` writes it.
public struct GeoJSONMap: Sendable {
    /// A point with its properties.
    public struct Point: Sendable {
        public let place: Coordinates
        public let properties: [String: String]
    }

    public private(set) var streets: [StreetLine] = []
    public private(set) var points: [Point] = []

    /// The maximum size of a map: 1 GiB. Berlin’s streets have about 150 MB.
    public static let maximumFileSize = 1 << 30
    // For memory.
    private static let maximumPoints = 2_000_000
    private static let maximumPositions = 50_000_000

    /// The number of positions read so far, of lines, areas and points.
    private var positions = 0

    /// Reads a map from the contents of a file.
    ///
    /// - Parameter source: the name of the file in errors.
    /// - Throws: ``ScenarioError`` with the line of what is wrong.
    public init(_ bytes: [UInt8], source: String) throws(ScenarioError) {
        var scanner = GeoJSONScanner(bytes, source: source)
        guard scanner.next != 0 else { throw scanner.error("the file is empty") }
        guard scanner.next == UInt8(ascii: "{") else {
            throw scanner.error(
                "not GeoJSON, which begins with ‘{’. Streets can also be an extract of OpenStreetMap (.osm.pbf); places and "
                    + "thefts can be a table (.csv)")
        }
        while scanner.next != 0 { try read(&scanner, isInner: false) }
    }

    /// Reads a feature, or a collection of features.
    ///
    /// - Parameter isInner: whether it is in a collection, in which a collection is skipped.
    private mutating func read(_ scanner: inout GeoJSONScanner, isInner: Bool) throws(ScenarioError) {
        var geometry = Geometry()
        var properties: [String: String] = [:]
        try scanner.object { (scanner, name) throws(ScenarioError) in
            switch name {
            case "features" where !isInner:
                try scanner.array { (scanner) throws(ScenarioError) in try self.read(&scanner, isInner: true) }
            case "geometry": geometry = try Geometry(&scanner)
            case "properties": properties = try Self.properties(&scanner)
            default: try scanner.skip(depth: 1)
            }
        }
        try add(geometry, properties, scanner)
    }

    /// The properties that are used. Only simple values count, as texts.
    private static func properties(_ scanner: inout GeoJSONScanner) throws(ScenarioError) -> [String: String] {
        guard scanner.next == UInt8(ascii: "{") else {
            try scanner.skip()
            return [:]
        }
        var properties: [String: String] = [:]
        try scanner.object { (scanner, name) throws(ScenarioError) in
            if let text = try scanner.text(), used.contains(name) { properties[name] = text }
        }
        return properties
    }

    private static let used: Set = [
        "highway", "name", "amenity", "shop", "craft", "weight", "access", "area", "count", "hours",
    ]

    /// Adds a feature to the streets or the points, unless it is neither.
    private mutating func add(
        _ geometry: Geometry, _ properties: [String: String], _ scanner: GeoJSONScanner
    ) throws(ScenarioError) {
        positions += geometry.lines.reduce(0) { $0 + $1.count }
        guard positions <= Self.maximumPositions, points.count < Self.maximumPoints else {
            throw scanner.error("more than \(Self.maximumPositions) positions: extract one city first")
        }
        if let highway = properties["highway"], !geometry.isArea {
            guard let weight = Self.weight(of: highway, properties) else { return }
            streets += geometry.lines.filter { $0.count > 1 }.map { StreetLine(points: $0, weight: weight) }
        } else if let place = geometry.middle {
            points.append(Point(place: place, properties: properties))
        }
    }

    /// How much happens along a metre of street: by its own property `weight`, or else by its class (the key `highway`
    /// of OpenStreetMap); nil for streets without bikes.
    private static func weight(of highway: String, _ properties: [String: String]) -> Double? {
        if let own = properties["weight"].flatMap(Double.init), own >= 0, own <= 1000 { return own }
        return switch highway {
        case "living_street", "pedestrian", "residential", "unclassified", "road": 1
        case "tertiary", "secondary", "tertiary_link", "secondary_link": 1
        case "primary", "primary_link": 0.7
        case "service", "cycleway", "footway", "path", "track", "bridleway": 0.3
        case "trunk", "trunk_link", "busway": 0.1
        default: nil
        }
    }
}

/// The positions of a geometry, of all its parts.
private struct Geometry {
    var lines: [[Coordinates]] = []
    var isArea = false
    private var type = ""

    init() {}

    init(_ scanner: inout GeoJSONScanner) throws(ScenarioError) {
        guard scanner.next == UInt8(ascii: "{") else {
            try scanner.skip()
            return
        }
        var type = ""
        var lines: [[Coordinates]] = []
        try scanner.object { (scanner, name) throws(ScenarioError) in
            switch name {
            case "type": type = try scanner.string()
            case "coordinates": lines = try Self.positions(&scanner, depth: 0)
            default: try scanner.skip(depth: 2)
            }
        }
        (self.type, self.lines) = (type, lines)
        isArea = type.utf8.elementsEqual("Polygon".utf8) || type.utf8.elementsEqual("MultiPolygon".utf8)
    }

    /// The lines of nested arrays of positions; a single position is a line of one.
    private static func positions(
        _ scanner: inout GeoJSONScanner, depth: Int
    ) throws(ScenarioError) -> [[Coordinates]] {
        guard depth < 6 else { throw scanner.error("coordinates are nested too deeply") }
        var numbers: [Double] = []
        var single: [Coordinates] = []
        var lines: [[Coordinates]] = []
        try scanner.array { (scanner) throws(ScenarioError) in
            if scanner.next == UInt8(ascii: "[") {
                let inner = try positions(&scanner, depth: depth + 1)
                // Positions one after the other are one line.
                if inner.count == 1, inner[0].count == 1 { single += inner[0] } else { lines += inner }
            } else {
                let number = try scanner.number()
                // A position has two numbers, and may have a height. More are not kept.
                if numbers.count < 4 { numbers.append(number) }
            }
        }
        if !numbers.isEmpty {
            guard numbers.count > 1, let place = Coordinates(latitude: numbers[1], longitude: numbers[0]) else {
                throw scanner.error("a position is a longitude (−180 to 180) and a latitude (−85 to 85)")
            }
            return [[place]]
        }
        return (single.isEmpty ? [] : [single]) + lines
    }

    /// The middle of all positions; nil for a line, which is no place.
    var middle: Coordinates? {
        guard isArea || type.utf8.elementsEqual("Point".utf8) else { return nil }
        let all = lines.joined()
        guard !all.isEmpty else { return nil }
        let count = Double(all.count)
        return Coordinates(
            within: all.reduce(0) { $0 + $1.latitude } / count, all.reduce(0) { $0 + $1.longitude } / count)
    }
}

extension GeoJSONMap {
    /// Places for stations: petrol stations, cafés and the like, bike shops and garages.
    ///
    /// - Parameter all: whether all other points are places, too, as in a file that is given only for them.
    public func sites(all: Bool = false) -> [Site] {
        points.compactMap { point in
            guard let kind = Self.kind(point.properties) ?? (all ? "" : nil) else { return nil }
            let name = point.properties["name"] ?? (kind.isEmpty ? "place" : kind)
            return Site(name: name.line(atMost: 80), kind: kind, place: point.place)
        }
    }

    /// The kind of place; nil if it is none for a station.
    private static func kind(_ properties: [String: String]) -> String? {
        switch (properties["amenity"], properties["shop"], properties["craft"]) {
        case ("fuel", _, _): "petrol station"
        case ("cafe", _, _), ("restaurant", _, _), ("pub", _, _), ("fast_food", _, _): "café"
        case ("bicycle_rental", _, _), ("bicycle_repair_station", _, _), (_, "bicycle", _): "bike shop"
        case (_, "car_repair", _), (_, "motorcycle", _), (_, "motorcycle_repair", _): "garage"
        default: nil
        }
    }

    /// All points as places of thefts, with the property `weight` or `count`; an invalid one counts as none.
    public var thefts: [TheftPlace] {
        points.map { point in
            let text = point.properties["weight"] ?? point.properties["count"] ?? "1"
            let weight = Double(text).flatMap { (0...1e9).contains($0) ? $0 : nil } ?? 0
            return TheftPlace(place: point.place, weight: weight)
        }
    }
}
