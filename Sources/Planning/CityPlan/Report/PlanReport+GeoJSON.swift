public import Foundation

extension PlanReport {
    private struct Feature: Encodable {
        struct Geometry: Encodable {
            let type = "Point"
            let coordinates: [Double]

            private enum CodingKeys: CodingKey { case type, coordinates }
        }

        struct Properties: Encodable {
            var number: Int?
            var name: String?
            var kind: String?
            var adds: Double?
            var onlyHere: Double?
            /// `planned`, `existing` or `area`.
            let station: String
            var stolen: Double?
            var heard: Double?
        }

        let type = "Feature"
        let geometry: Geometry
        let properties: Properties

        private enum CodingKeys: CodingKey { case type, geometry, properties }
    }

    private struct Collection: Encodable {
        let type = "FeatureCollection"
        let features: [Feature]

        private enum CodingKeys: CodingKey { case type, features }
    }

    /// The places in order, the existing stations and the parts of the city, for other programs’ maps (RFC 7946).
    public func geoJSON() throws -> Data {
        let planned = places.map {
            Feature(
                geometry: Feature.Geometry(coordinates: [$0.longitude, $0.latitude]),
                properties: Feature.Properties(
                    number: $0.number, name: $0.name, kind: $0.kind, adds: $0.adds, station: "planned"))
        }
        let present = existing.map {
            Feature(
                geometry: Feature.Geometry(coordinates: [$0.longitude, $0.latitude]),
                properties: Feature.Properties(name: $0.name, onlyHere: $0.onlyHere, station: "existing"))
        }
        let parts = areas.map {
            Feature(
                geometry: Feature.Geometry(coordinates: [$0.longitude, $0.latitude]),
                properties: Feature.Properties(station: "area", stolen: $0.stolen, heard: $0.heard))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Collection(features: planned + present + parts))
    }
}
