import CityPlan
import CommandSupport
import Foundation
import Simulation
import Syntax

extension PlanInputs {
    /// Reads all files, or makes up a city.
    ///
    /// - Parameter seed: of a made-up city.
    /// - Throws: ``ScenarioError`` with the line of what is wrong, or ``CommandFailure``.
    func read(seed: UInt64) async throws -> Contents {
        var contents = try await readStreets(try readModels(), seed: seed)
        if let candidates { contents.candidates = try Self.unique(sites(candidates), in: candidates) }
        if let stations { contents.existing = try sites(stations) }
        if let thefts { contents.thefts = try places(of: thefts) }
        if let experience { contents.experience = try searches(experience) }
        try requirePlaces(contents)
        return contents
    }

    /// The streets with their places for stations.
    private func readStreets(_ models: PlanModels, seed: UInt64) async throws -> Contents {
        if let synthetic {
            // 2.5 for each square kilometre, and at least 50.
            let placeCount = Int(max(50, 2.5 * size * size))
            let city = try SyntheticCity(synthetic, kilometres: size, candidates: placeCount, seed: seed)
            return Contents(
                name: shown(name ?? "a made-up city (\(synthetic.rawValue))"), isMadeUp: true, streets: city.streets,
                candidates: city.candidates, models: models, vehicles: vehicles)
        }
        let path = streets ?? ""
        let map = try await StreetMapFile(path: path).read()
        let file = URL(fileURLWithPath: path).lastPathComponent
        let title = file.split(at: ".").first { !$0.isEmpty }.map(String.init) ?? file
        return Contents(
            name: shown(name ?? title), streets: try StreetNetwork(map.streets, source: path),
            candidates: candidates == nil ? map.sites() : [], models: models, vehicles: vehicles)
    }

    /// Places that are listed again count once, because two stations at one place hear the same bikes.
    private static func unique(_ sites: [Site], in path: String) -> [Site] {
        var seen: Set<Coordinates> = []
        let unique = sites.filter { seen.insert($0.place).inserted }
        if unique.count < sites.count {
            Output.warn(
                "\(sites.count - unique.count) of \(sites.count) places in \(path) are listed again and count once")
        }
        return unique
    }

    private func shown(_ name: String) -> String { name.line(atMost: 80) }

    /// Refuses files without a place, and more places than a plan may have.
    private func requirePlaces(_ contents: Contents) throws {
        let most = PlanRequest.maximumSites
        guard !contents.candidates.isEmpty else {
            throw CommandFailure(
                .dataError,
                candidates.map { "\($0) has no place: give a line for each place where a station could be" }
                    ?? "\(streets ?? "") has no petrol station, café, garage or bike shop: list possible places in a table with "
                    + "latitude, longitude and name, and give it with --candidates")
        }
        guard contents.candidates.count <= most, contents.existing.count <= most else {
            throw CommandFailure(
                .dataError,
                "more than \(most) places: choose some with --candidates, or cut out a smaller part of the map")
        }
        if let thefts, contents.thefts.allSatisfy({ $0.weight == 0 }) {
            throw CommandFailure(.dataError, "\(thefts) has no theft: give a line for each place, with a count above 0")
        }
        if let stations, contents.existing.isEmpty {
            throw CommandFailure(
                .dataError, "\(stations) has no station with a fixed place: leave out --stations if you have none")
        }
    }

    // The name or the beginning of a file shows of which kind it is.

    private func places(of path: String) throws -> [TheftPlace] {
        isGeoJSON(path)
            ? try GeoJSONMap(bytes(path, GeoJSONMap.maximumFileSize), source: path).thefts
            : try PlaceTable(bytes(path, PlaceTable.maximumFileSize), source: path).thefts()
    }

    private func searches(_ path: String) throws -> Experience {
        let bytes = try bytes(path, PlaceTable.maximumFileSize)
        return bytes.beginsAsJSON
            ? try SearchCounts.read(bytes, source: path) : try PlaceTable(bytes, source: path).experience()
    }

    private func sites(_ path: String) throws -> [Site] {
        if isGeoJSON(path) {
            return try GeoJSONMap(bytes(path, GeoJSONMap.maximumFileSize), source: path).sites(all: true)
        }
        let bytes = try bytes(path, PlaceTable.maximumFileSize)
        return bytes.beginsAsJSON
            ? try StationLines.read(bytes, source: path) : try PlaceTable(bytes, source: path).sites()
    }

    private func isGeoJSON(_ path: String) -> Bool {
        [".geojson", ".geojsonseq", ".geojsonl"].contains { path.lowercased().ends(with: $0) }
    }

    private func bytes(_ path: String, _ limit: Int) throws -> [UInt8] {
        try OutsideFile.contents(of: path, limit: limit)
    }

    /// The models of --models or the shipped ones, of which --model selects some.
    private func readModels() throws -> PlanModels {
        var models = try models.map(Self.models(in:)) ?? .shipped()
        guard !onlyModels.isEmpty else { return models }
        for name in onlyModels where !models.thieves.contains(where: { $0.name == name }) {
            let known = models.thieves.map(\.name).joined(separator: ", ")
            throw CommandFailure(.usage, "there is no model ‘\(name)’: the models are \(known)")
        }
        models.thieves.removeAll { !onlyModels.contains($0.name) }
        return models
    }

    /// The paths of the models in a folder; none if it cannot be read.
    static func modelFiles(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.ends(with: ".yaml") && !$0.begins(with: ".") }.sorted().map { "\(folder)/\($0)" }
    }

    /// The models in a folder, which needs `city.yaml`.
    private static func models(in folder: String) throws -> PlanModels {
        let copy = "copy the shipped models with ‘cp -r /usr/share/findmybike/plan models’, and give --models models"
        guard (try? FileManager.default.contentsOfDirectory(atPath: folder)) != nil else {
            throw CommandFailure(.noInput, "there is no folder ‘\(folder)’ that can be read: \(copy)")
        }
        let models = modelFiles(in: folder)
        guard models.contains("\(folder)/city.yaml"), (2...PlanModels.maximumCount + 1).contains(models.count) else {
            throw CommandFailure(
                .dataError,
                "\(folder) needs city.yaml and 1 to \(PlanModels.maximumCount) other files that end in .yaml: \(copy)")
        }
        return try PlanModels(
            files: models.map { path in
                // A pipe would wait for a writer, without a word.
                var status = stat()
                guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                    throw CommandFailure(.dataError, "\(path) is no plain file: \(copy)")
                }
                let name = URL(fileURLWithPath: path).lastPathComponent
                return (name: name, bytes: try OutsideFile.contents(of: path, limit: PlanModels.maximumFileSize))
            })
    }
}
