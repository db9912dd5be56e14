import FoundationEssentials
import RegistryAPI

extension Trail {
    /// A feature collection (RFC 7946): a point for each sighting, with all its data as properties.
    public func geoJSON() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(FeatureCollection(self)))
    }
}

private struct FeatureCollection: Encodable {
    let type = "FeatureCollection"
    let report: ReportID
    let caution = Trail.caution
    let features: [Feature]

    init(_ trail: Trail) {
        report = trail.report
        features = trail.sightings.map(Feature.init)
    }
}

private struct Feature: Encodable {
    let type = "Feature"
    let id: VisitID
    let geometry: Point
    let properties: Sighting

    init(_ sighting: Sighting) {
        id = sighting.id
        geometry = Point(sighting.place)
        properties = sighting
    }
}

private struct Point: Encodable {
    let type = "Point"
    /// The coordinates, longitude first (section 3.1.1).
    let coordinates: [Double]

    init(_ place: Place) { coordinates = [place.longitude, place.latitude] }
}
