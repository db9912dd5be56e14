import Foundation
import TestSupport
import Testing

@testable import findmybike

@Suite("findmybike scan")
struct ScanTests {
    private static let captures = [
        "bumble_extended.btsnoop", "bumble_legacy.btsnoop", "kernel_monitor_vbeacon.btsnoop",
        "legacy_govee_fake_ibeacon.btsnoop",
    ]

    private struct Expected: Decodable {
        struct Beacon: Decodable, Hashable {
            let uuid: String
            let major: Int
            let minor: Int
            let measuredPower: Int
            let frames: Int
        }

        let reports: Int
        let ibeacons: Set<Beacon>
    }

    private struct Line: Decodable {
        struct Strength: Decodable {
            let min: Int
            let median: Double
            let max: Int
        }

        let kind: String
        let uuid: String?
        let major: Int?
        let minor: Int?
        let measuredPower: Int?
        let frames: Int?
        let rssi: Strength?
        let first: String?
        let last: String?
        let reports: Int?
        let malformed: Int?
    }

    private func lines(_ output: String) throws -> [Line] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("a capture’s beacons and totals match those of an independent reader", arguments: captures)
    func counts(capture: String) async throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: Repository.path("\(Repository.captures)/expected.json")))
        let expected = try #require(JSONDecoder().decode([String: Expected].self, from: data)[capture])
        let result = await FindMyBike.run([
            "scan", "--replay", Repository.path("\(Repository.captures)/\(capture)"), "--json",
        ])
        #expect(result.status == 0)
        let lines = try lines(result.output)
        let totals = try #require(lines.last)
        #expect(totals.kind == "totals")
        #expect(totals.reports == expected.reports)
        #expect(totals.malformed == 0)
        let beacons = try lines.dropLast().filter { $0.kind == "iBeacon" }.map { line in
            Expected.Beacon(
                uuid: try #require(line.uuid), major: try #require(line.major), minor: try #require(line.minor),
                measuredPower: try #require(line.measuredPower), frames: try #require(line.frames)
            )
        }
        #expect(Set(beacons) == expected.ibeacons)
        for line in lines.dropLast() {
            let rssi = try #require(line.rssi)
            #expect(Double(rssi.min) <= rssi.median && rssi.median <= Double(rssi.max))
            #expect(try #require(line.first) <= (try #require(line.last)))
        }
    }

    @Test("replaying a capture twice gives the same output", arguments: captures)
    func repeatable(capture: String) async throws {
        let arguments = ["scan", "--replay", Repository.path("\(Repository.captures)/\(capture)"), "--json"]
        let first = await FindMyBike.run(arguments)
        #expect(!first.output.isEmpty)
        #expect(await FindMyBike.run(arguments).output == first.output)
        #expect(await FindMyBike.run(arguments + ["--speed", "1000"]).output == first.output)
    }

    @Test("scanning a scan’s own capture gives the same result")
    func capture() async throws {
        let folder = try TemporaryFolder()
        let original = Repository.path("\(Repository.captures)/legacy_govee_fake_ibeacon.btsnoop")
        let copy = folder.file("copy.btsnoop")
        let first = await FindMyBike.run(["scan", "--replay", original, "--json", "--capture", copy])
        let second = await FindMyBike.run(["scan", "--replay", copy, "--json"])
        #expect(first.output == second.output)
    }

    @Test("a truncated capture is read up to the end, and the truncation is reported")
    func truncated() async throws {
        let folder = try TemporaryFolder()
        let whole = try Data(
            contentsOf: URL(fileURLWithPath: Repository.path("\(Repository.captures)/bumble_legacy.btsnoop"))
        )
        let path = folder.file("cut.btsnoop")
        try whole.dropLast(3).write(to: URL(fileURLWithPath: path))
        let result = await FindMyBike.run(["scan", "--replay", path, "--json"])
        #expect(result.status == 0)
        #expect(try lines(result.output).last?.reports == 29)
        #expect(result.errors.contains("breaks off"))
    }

    @Test("a scenario is scanned without a radio, with the same result each time")
    func scenario() async throws {
        let arguments = ["scan", "--simulate", Repository.path("config/scenarios/bike-passes-cafe.yaml"), "--json"]
        let result = await FindMyBike.run(arguments)
        #expect(try lines(result.output).contains { $0.minor == 20815 })
        #expect(await FindMyBike.run(arguments).output == result.output)
    }

    @Test("filters reduce what is shown, but not what is counted")
    func filters() async throws {
        func scan(_ options: String...) async throws -> [Line] {
            let path = Repository.path("config/scenarios/bike-passes-cafe.yaml")
            return try lines(await FindMyBike.run(["scan", "--simulate", path, "--json"] + options).output)
        }
        let all = try await scan()
        let bike = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813"
        #expect(try await scan("--identity", "\(bike):4711:101").dropLast().map(\.minor) == [101])
        #expect(Set(try await scan("--uuid", bike).dropLast().map(\.minor)) == [101, 20815])
        #expect(try await scan("--kind", "eddystone-uid").dropLast().allSatisfy { $0.kind == "Eddystone-UID" })
        #expect(try await scan("--min-rssi", "20").count == 1)
        #expect(try await scan("--near").count < all.count)
        #expect(try await scan("--min-rssi", "20").last?.reports == all.last?.reports)
    }

    @Test("a timed scan ends according to the time of its source")
    func duration() async throws {
        let path = Repository.path("config/scenarios/bike-passes-cafe.yaml")
        let short = try lines(await FindMyBike.run(["scan", "--simulate", path, "--json", "--duration", "10s"]).output)
        let all = try lines(await FindMyBike.run(["scan", "--simulate", path, "--json"]).output)
        let (heard, total) = (try #require(short.last?.reports), try #require(all.last?.reports))
        #expect(heard > 0 && heard < total / 4)
    }
}
