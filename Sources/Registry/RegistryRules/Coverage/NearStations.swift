public import Evidence
import Foundation
public import RegistryAPI

/// Chooses the stations whose silence may matter to a search. Only areas count, so that the choice reveals no place.
public enum NearStations {
    /// The maximum number of stations.
    public static let maximumCount = 20
    /// The maximum number of areas around which stations are chosen.
    public static let maximumAreas = 10
    /// The maximum distance between the centres of two areas, in metres.
    public static let maximumDistance = 2000.0
    /// The degrees of latitude within which a station at ``maximumDistance`` lies, half of its area included. A degree
    /// is about 111 km.
    private static let margin = 0.03

    /// The areas of a search: that of the last known place, and the latest of those where the beacon was heard.
    ///
    /// - Parameter heard: the places of the sightings, the latest first.
    public static func areas(lastPlace: Place?, heard: some Sequence<Place>) -> [CoverageArea] {
        var areas: [CoverageArea] = []
        if let lastPlace { areas.append(CoverageArea(of: lastPlace)) }
        for place in heard where areas.count < maximumAreas {
            let area = CoverageArea(of: place)
            if !areas.contains(area) { areas.append(area) }
        }
        return areas
    }

    /// The degrees between which all stations within the distance from an area lie, unless they lie across the 180th
    /// meridian.
    public static func degrees(
        around area: CoverageArea
    ) -> (latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) {
        // A degree of longitude is shorter the farther from the equator it is.
        let shrinking = max(0.001, cos((abs(area.latitude) + margin) * .pi / 180))
        let wide = min(360, margin / shrinking)
        return (
            area.latitude - margin...area.latitude + margin,
            area.longitude - wide...area.longitude + wide
        )
    }

    /// The stations nearest to any of the areas, at most ``maximumCount``, in the order of their identifiers.
    public static func choose(
        _ stations: [StationID: CoverageArea], near areas: [CoverageArea]
    ) -> [(id: StationID, area: CoverageArea)] {
        var near: [(id: StationID, area: CoverageArea, distance: Double)] = []
        for (id, area) in stations {
            let distance = areas.map { $0.centre.distance(to: area.centre) }.min() ?? .infinity
            if distance <= maximumDistance { near.append((id, area, distance)) }
        }
        near.sort { ($0.distance, $0.id) < ($1.distance, $1.id) }
        let chosen = near.prefix(maximumCount).sorted { $0.id < $1.id }
        return chosen.map { ($0.id, $0.area) }
    }
}
