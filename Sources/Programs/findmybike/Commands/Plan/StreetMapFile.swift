import CityPlan
import CommandSupport
import Foundation
import OperatingSystem
import Simulation
import Syntax

/// A map as a file: GeoJSON, or an extract of OpenStreetMap that osmium turns into it.
struct StreetMapFile {
    let path: String

    /// Whether osmium must read it.
    private var isExtract: Bool {
        [".osm", ".pbf", ".osm.bz2", ".osm.gz", ".o5m"].contains { path.lowercased().ends(with: $0) }
    }

    /// - Throws: ``ScenarioError`` with the line of what is wrong; ``CommandFailure`` if osmium is missing or fails.
    func read() async throws -> GeoJSONMap {
        guard isExtract else {
            return try GeoJSONMap(
                OutsideFile.contents(of: path, limit: GeoJSONMap.maximumFileSize), source: path)
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CommandFailure(.noInput, "\(path) is missing or cannot be read")
        }
        // Planning leaves nothing behind when a signal ends the program, but osmium and its files would stay.
        let exported = try await untilInterrupted { try await export() }
        return try GeoJSONMap(exported, source: "\(path) (from osmium)")
    }

    /// The streets and the places of an extract as GeoJSON.
    private func export() async throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("findmybike-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let (filtered, sorted) = ("\(folder.path)/streets.osm.pbf", "\(folder.path)/sorted.osm.pbf")
        let exported = "\(folder.path)/streets.geojsonseq"
        // A name may begin with a dash.
        let file = URL(fileURLWithPath: path).path
        try await osmium(["tags-filter", file, "-o", filtered] + Self.wanted)
        // Editors save files in another order than extracts have, which export refuses.
        try await osmium(["sort", filtered, "-o", sorted])
        try await osmium(["export", sorted, "-f", "geojsonseq", "-o", exported])
        let bytes = try OutsideFile.contents(of: exported, limit: GeoJSONMap.maximumFileSize)
        try Task.checkCancellation()
        return bytes
    }

    /// Streets and places where stations could be.
    private static let wanted = [
        "w/highway", "nwr/amenity=fuel,cafe,restaurant,pub,fast_food,bicycle_rental,bicycle_repair_station",
        "nwr/shop=bicycle,car_repair,motorcycle,motorcycle_repair",
    ]

    /// Runs osmium, at most ten minutes.
    private func osmium(_ arguments: [String]) async throws {
        let environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"]
        let (end, output) = try await ExternalProgram(
            "osmium", arguments, environment: environment, timeout: .seconds(600)
        ).run()
        switch end {
        case .exited(0): return
        case .notStarted:
            throw CommandFailure(
                .unavailable,
                "osmium cannot be started: install it with ‘sudo apt install osmium-tool’, or give GeoJSON")
        default: throw CommandFailure(.dataError, "osmium \(end): \(output.line(atMost: 300))")
        }
    }
}
