import ArgumentParser
import CityPlan
import CommandLines
import Foundation
import OperatingSystem
import Simulation
import Syntax

/// What a plan is made from.
struct PlanInputs: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The streets: GeoJSON, or an extract of OpenStreetMap (.osm, .osm.pbf, .osm.bz2).", valueName: "file"))
    var streets: String?

    @Option(help: "Instead of streets, a city that is made up: grid, rings or river.")
    var synthetic: SyntheticCity.Plan?

    @Option(help: ArgumentHelp("The side of that city in kilometres, 1 to 40.", valueName: "km"))
    var size = 14.0

    @Option(
        help: ArgumentHelp(
            "Places for stations: CSV with latitude, longitude and name, or GeoJSON. By default petrol stations, cafés, "
                + "garages and bike shops among the streets.", valueName: "file"))
    var candidates: String?

    @Option(
        help: ArgumentHelp(
            "Stations that exist: CSV, or what ‘findmybike station list --json’ prints.", valueName: "file"))
    var stations: String?

    @Option(
        help: ArgumentHelp(
            "Where bikes are stolen: CSV with latitude and longitude, or GeoJSON. By default, by the streets’ length.",
            valueName: "file"))
    var thefts: String?

    @Option(help: ArgumentHelp("Buses or delivery bikes that carry a station, 0 to 1000.", valueName: "count"))
    var vehicles = 0

    @Option(
        help: ArgumentHelp("A folder with models of thieves and city.yaml, as in config/plan.", valueName: "folder"))
    var models: String?

    @Option(
        name: .customLong("model"),
        help: ArgumentHelp("Use only the models with these names. Repeat the option for each.", valueName: "name"))
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            "Closed searches: what ‘findmybike operator searches --json’ prints, or CSV with the columns "
                + "heardAfterHours, empty if never heard, and closedAfterHours.", valueName: "file"))
    var experience: String?

    func validate() throws {
        guard (streets == nil) != (synthetic == nil) else {
            throw ValidationError("Give either --streets and a file, or --synthetic grid, rings or river.")
        }
        guard (1...40).contains(size) else { throw ValidationError("--size must be 1 to 40 km.") }
        guard (0...1000).contains(vehicles) else { throw ValidationError("--vehicles must be 0 to 1000.") }
    }

    /// The contents of all files.
    struct Contents {
        let name: String
        let streets: StreetNetwork
        var candidates: [Site]
        var existing: [Site] = []
        var thefts: [TheftPlace] = []
        let models: PlanModels
        let vehicles: Int
        var experience: Experience?
    }

    func read(seed: UInt64) async throws -> Contents {
        let models = try readModels()
        var contents: Contents
        if let synthetic {
            let city = try SyntheticCity(
                synthetic, kilometres: size, candidates: Int(max(50, 2.5 * size * size)), seed: seed)
            contents = Contents(
                name: "a made-up city (\(synthetic.rawValue))", streets: city.streets, candidates: city.candidates,
                models: models, vehicles: vehicles)
        } else {
            let path = streets ?? ""
            let map = try await StreetMapFile(path: path).read()
            contents = Contents(
                name: URL(fileURLWithPath: path).lastPathComponent,
                streets: try StreetNetwork(map.streets, source: path), candidates: map.sites(), models: models,
                vehicles: vehicles)
        }
        try readPlaces(into: &contents)
        guard !contents.candidates.isEmpty else {
            throw CommandFailure(.dataError, "no places for stations: give some with --candidates")
        }
        return contents
    }

    private func readPlaces(into contents: inout Contents) throws {
        if let candidates { contents.candidates = try sites(candidates) }
        if let stations { contents.existing = try sites(stations) }
        if let thefts {
            contents.thefts =
                isGeoJSON(thefts)
                ? try GeoJSONMap(bytes(thefts, GeoJSONMap.maximumFileSize), source: thefts).thefts
                : try PlaceTable(bytes(thefts, PlaceTable.maximumFileSize), source: thefts).thefts()
        }
        if let experience {
            let bytes = try bytes(experience, PlaceTable.maximumFileSize)
            contents.experience =
                bytes.first == UInt8(ascii: "{")
                ? try SearchCounts.read(bytes, source: experience)
                : try PlaceTable(bytes, source: experience).experience()
        }
    }

    private func sites(_ path: String) throws -> [Site] {
        if isGeoJSON(path) {
            return try GeoJSONMap(bytes(path, GeoJSONMap.maximumFileSize), source: path).sites(all: true)
        }
        let bytes = try bytes(path, PlaceTable.maximumFileSize)
        return bytes.first == UInt8(ascii: "{")
            ? try StationLines.read(bytes, source: path) : try PlaceTable(bytes, source: path).sites()
    }

    private func isGeoJSON(_ path: String) -> Bool {
        [".geojson", ".geojsonseq", ".geojsonl"].contains { path.lowercased().ends(with: $0) }
    }

    private func bytes(_ path: String, _ limit: Int) throws -> [UInt8] {
        try OutsideFile.contents(of: path, limit: limit)
    }

    private func readModels() throws -> PlanModels {
        var models = try models.map(Self.models(in:)) ?? .shipped()
        guard !names.isEmpty else { return models }
        for name in names where !models.thieves.contains(where: { $0.name == name }) {
            let known = models.thieves.map(\.name).joined(separator: ", ")
            throw CommandFailure(.usage, "there is no model ‘\(name)’: the models are \(known)")
        }
        models.thieves.removeAll { !names.contains($0.name) }
        return models
    }

    private static func models(in folder: String) throws -> PlanModels {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.ends(with: ".yaml") && !$0.begins(with: ".") }.sorted()
        } catch {
            throw CommandFailure(.noInput, "\(folder) cannot be read: \(error.localizedDescription)")
        }
        let files = try names.prefix(PlanModels.maximumCount + 2).map { name in
            (
                name: name,
                bytes: try OutsideFile.contents(of: "\(folder)/\(name)", limit: PlanModels.maximumFileSize)
            )
        }
        return try PlanModels(files: files)
    }
}
