import ArgumentParser
import CityPlan
import CommandSupport
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
        let read = Set(inputs.map(Self.resolved))
        for path in outputs {
            try Self.checkKind(of: path)
            guard !read.contains(Self.resolved(path)) else {
                throw CommandFailure(.usage, "\(path) is also read: give the result another name")
            }
        }
        guard Set(outputs.map(Self.resolved)).count == outputs.count else {
            throw CommandFailure(.usage, "--html and --geojson name the same file: give two names")
        }
    }

    /// The path without links. The file itself may be missing.
    private static func resolved(_ path: String) -> String {
        if let whole = existing(path) { return whole }
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        return "\(existing(folder) ?? folder)/\(url.lastPathComponent)"
    }

    /// The path without links; nil if nothing is there.
    private static func existing(_ path: String) -> String? {
        guard let whole = realpath(path, nil) else { return nil }
        defer { free(whole) }
        return String(cString: whole)
    }

    /// Fails if a file could not be written there.
    private static func checkKind(of path: String) throws {
        let files = FileManager.default
        let target = resolved(path)
        let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
        guard !path.isEmpty, files.isWritableFile(atPath: folder) else {
            throw CommandFailure(.cannotCreate, "\(path) cannot be written: its folder is missing, or not yours")
        }
        // A new file takes the place of the old one, which must not be a folder, a device, or a link to nothing.
        let kind = try? files.attributesOfItem(atPath: target)[.type] as? FileAttributeType
        guard kind == nil || kind == .typeRegular else {
            throw CommandFailure(.cannotCreate, "\(path) is no plain file: give the name of a new one")
        }
    }

    /// Writes the files that are named.
    func write(_ report: PlanReport, _ streets: StreetNetwork) throws {
        if let html { try Self.put(Array(CouncilPage(report, streets: streets).html.utf8), at: html) }
        if let geoJSON { try Self.put(Array(report.geoJSON()), at: geoJSON) }
    }

    /// Writes a file beside the old one, under an unused name, and then replaces the old one.
    private static func put(_ bytes: [UInt8], at path: String) throws {
        // The planning took a while, in which the path may have become another.
        try checkKind(of: path)
        let target = resolved(path)
        let new = "\(target).\(UUID().uuidString)"
        try DurableFile.put(bytes, at: new, FileAccess(mode: 0o644))
        guard rename(new, target) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(new)
            throw CommandFailure(.cannotCreate, "\(path) cannot be written: \(reason)")
        }
        Output.remark("wrote \(path)")
    }
}
