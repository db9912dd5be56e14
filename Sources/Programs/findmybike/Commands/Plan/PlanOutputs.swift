import ArgumentParser
import CityPlan
import CommandLines
import Foundation
import OperatingSystem

/// The files that a plan is written to.
struct PlanOutputs: ParsableArguments {
    @Option(help: ArgumentHelp("Write a page to hand to a council: one file of HTML.", valueName: "file"))
    var html: String?

    @Option(
        name: .customLong("geojson"),
        help: ArgumentHelp("Write the places for other programs’ maps, as GeoJSON.", valueName: "file"))
    var geoJSON: String?

    /// Checks the paths before the work begins, which can take minutes.
    ///
    /// - Parameter inputs: files that must not be overwritten.
    func check(against inputs: [String]) throws {
        let outputs = [html, geoJSON].compactMap(\.self)
        for path in outputs {
            try Self.checkKind(of: path)
            guard !inputs.contains(where: { Self.resolved($0) == Self.resolved(path) }) else {
                throw CommandFailure(.usage, "\(path) is also read: give the result another name")
            }
        }
        guard Set(outputs.map(Self.resolved)).count == outputs.count else {
            throw CommandFailure(.usage, "--html and --geojson name the same file: give two names")
        }
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    private static func checkKind(of path: String) throws {
        let files = FileManager.default
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard !path.isEmpty, files.isWritableFile(atPath: folder) else {
            throw CommandFailure(.cannotCreate, "\(path) cannot be written: its folder is missing, or not yours")
        }
        // A new file takes the place of the old one, which must not be a folder or a device.
        let kind = try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard kind == nil || kind == .typeRegular || kind == .typeSymbolicLink else {
            throw CommandFailure(.cannotCreate, "\(path) is no plain file: give the name of a new one")
        }
    }

    func write(_ report: PlanReport, _ streets: StreetNetwork) throws {
        let access = FileAccess(mode: 0o644)
        if let html {
            try DurableFile.put(Array(CouncilPage(report, streets: streets).html.utf8), at: html, access)
            Output.remark("wrote \(html)")
        }
        if let geoJSON {
            try DurableFile.put(Array(report.geoJSON()), at: geoJSON, access)
            Output.remark("wrote \(geoJSON)")
        }
    }
}
