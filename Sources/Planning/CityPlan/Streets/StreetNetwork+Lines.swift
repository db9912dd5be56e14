public import Simulation

extension StreetNetwork {
    /// The longest side of a city's rectangle, in metres.
    private static let maximumSide = 200_000.0

    /// The network of the largest connected part of some streets. Streets cross where they share a point.
    ///
    /// - Parameters:
    ///   - source: the name of their file in errors.
    ///   - density: how much happens at a place, relative to others; 1 everywhere by default.
    /// - Throws: ``ScenarioError`` if there are no streets, too many, if they are too far apart for one city, or if more than a
    ///   fifth of them do not connect with the others.
    public init(
        _ lines: [StreetLine], source: String, density: (MapPoint) -> Double = { _ in 1 }
    ) throws(ScenarioError) {
        let projection = try Self.projection(around: lines, source)
        let draft = try Self.draft(of: lines, projection, source)
        guard let network = draft.largestPart(density: density) else {
            throw ScenarioError(source: source, problem: "its streets do not connect two crossings")
        }
        try network.requireConnection(source)
        self = network
    }

    /// The plane around the middle of the lines.
    private static func projection(around lines: [StreetLine], _ source: String) throws(ScenarioError) -> Projection {
        let extent = Extent(of: lines)
        guard !extent.isEmpty else {
            throw ScenarioError(
                source: source, problem: "has no streets: lines with the property ‘highway’ are streets")
        }
        guard !extent.crossesAntimeridian else {
            throw ScenarioError(
                source: source, problem: "its streets lie on both sides of the 180th meridian, so give one side only")
        }
        let projection = Projection(centre: extent.centre)
        let southWest = projection.point(extent.southWest)
        let northEast = projection.point(extent.northEast)
        guard northEast.x - southWest.x <= maximumSide, northEast.y - southWest.y <= maximumSide else {
            throw ScenarioError(
                source: source, problem: "its streets are more than 200 km apart: extract one city first")
        }
        return projection
    }

    /// Adds all lines to a draft, unless they are more than a network may have.
    private static func draft(
        of lines: [StreetLine], _ projection: Projection, _ source: String
    ) throws(ScenarioError) -> StreetNetworkDraft {
        var draft = StreetNetworkDraft(projection)
        draft.countUses(lines)
        for line in lines {
            draft.add(line)
            guard draft.metres <= maximumKilometres * 1000 else {
                throw ScenarioError(
                    source: source,
                    problem: "has more than \(Int(maximumKilometres)) km of streets: extract one city first")
            }
            guard draft.crossings.count <= maximumCrossings, draft.pieces.count <= maximumPieces else {
                throw ScenarioError(
                    source: source, problem: "has more than \(maximumPieces) pieces of street: extract one city first")
            }
        }
        return draft
    }

    /// Fails if too much of the file does not connect with the network.
    private func requireConnection(_ source: String) throws(ScenarioError) {
        let all = kilometres + kilometresLeftOut
        guard kilometresLeftOut <= Self.maximumLeftOut * all else {
            let part = Int(kilometresLeftOut.rounded(.up))
            let whole = Int(all.rounded(.up))
            throw ScenarioError(
                source: source,
                problem: "\(part) of \(whole) km of its streets do not connect with the others, but a plan needs "
                    + "streets that connect: streets must share a point where they meet, and an extract must contain the "
                    + "bridges; or extract the parts, and plan each")
        }
    }
}

/// The smallest ranges of latitudes and longitudes, in degrees, with all points of some lines.
private struct Extent {
    private var south = 90.0
    private var north = -90.0
    private var west = 180.0
    private var east = -180.0

    init(of lines: [StreetLine]) {
        for point in lines.lazy.flatMap(\.points) {
            south = min(south, point.latitude)
            north = max(north, point.latitude)
            west = min(west, point.longitude)
            east = max(east, point.longitude)
        }
    }

    /// Whether the lines have no points.
    var isEmpty: Bool { south > north }
    /// Whether there are points just west and just east of the 180th meridian. Then the middle of the longitudes would be
    /// on the other side of the Earth.
    var crossesAntimeridian: Bool { east > 179 && west < -179 }

    var centre: Coordinates { Coordinates(within: (south + north) / 2, (west + east) / 2) }
    var southWest: Coordinates { Coordinates(within: south, west) }
    var northEast: Coordinates { Coordinates(within: north, east) }
}

/// A street as a file gives it: a line, and how much happens along it.
public struct StreetLine: Sendable {
    public let points: [Coordinates]
    /// How many homes, thefts and destinations a metre has in relation to other streets, 0 to 1,000.
    public let weight: Double

    public init(points: [Coordinates], weight: Double) {
        self.points = points
        self.weight = weight
    }
}
