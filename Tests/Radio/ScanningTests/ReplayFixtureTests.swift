import Beacons
import Foundation
import Scanning
import TestSupport
import Testing

/// Real captures give the counts of an independent reader, at every speed.
@Suite struct ReplayFixtureTests {
    struct Expected: Decodable {
        let reports: Int
        let ibeacons: [Beacon]

        struct Beacon: Decodable, Hashable {
            let uuid: String
            let major: Int
            let minor: Int
            let measuredPower: Int
            let frames: Int
        }
    }

    @Test("reports and iBeacons are counted as an independent reader counts them", arguments: Fixture.captures)
    func counts(name: String) async throws {
        let table = try JSONDecoder().decode([String: Expected].self, from: Data(Fixture.bytes("expected.json")))
        let expected = try #require(table[name])
        let scanner = try ReplayScanner(path: Fixture.path(name), pacing: .asFastAsPossible)
        var reports = 0
        var frames: [IBeacon: Int] = [:]
        for try await batch in try scanner.batches() {
            #expect(batch.malformed == 0)
            reports += batch.advertisements.count
            batch.forEach { _, data in
                if let beacon = IBeacon(advertisingData: data) { frames[beacon, default: 0] += 1 }
            }
        }
        let found = frames.map { beacon, count in
            Expected.Beacon(
                uuid: beacon.identity.uuid.description.lowercased(),
                major: Int(beacon.identity.major),
                minor: Int(beacon.identity.minor),
                measuredPower: Int(beacon.measuredPower),
                frames: count
            )
        }
        #expect(reports == expected.reports)
        #expect(Set(found) == Set(expected.ibeacons))
        #expect(scanner.summary?.reports == expected.reports)
        #expect(scanner.summary?.truncation == nil)
    }

    @Test("a capture gives the same batches again, at every speed", arguments: Fixture.captures)
    func deterministic(name: String) async throws {
        let path = try Fixture.path(name)
        let scanner = ReplayScanner(path: path, pacing: .asFastAsPossible)
        let batches = try await scanner.allBatches()
        #expect(try await scanner.allBatches() == batches)
        for speed in [0.5, 1, 10] {
            let clock = ImpatientClock()
            let paced = ReplayScanner(path: path, pacing: .times(speed), clock: clock)
            #expect(try await paced.allBatches() == batches)
            // There is a wait before each batch but the first, until the batch's time at that speed.
            let first = try #require(batches.first).time
            let due = batches.dropFirst().map { first.duration(to: $0.time) / speed }
            #expect(clock.deadlines == due)
        }
    }

    @Test("batches are short, small, in order, and never more than a second apart", arguments: Fixture.captures)
    func bounds(name: String) async throws {
        let scanner = try ReplayScanner(path: Fixture.path(name), pacing: .asFastAsPossible)
        let batches = try await scanner.allBatches()
        for (batch, next) in zip(batches, batches.dropFirst()) {
            let gap = batch.time.duration(to: next.time)
            #expect(gap >= .zero && gap <= .seconds(1))
        }
        for batch in batches {
            #expect(batch.advertisements.count <= 256)
            guard let first = batch.advertisements.first else { continue }
            #expect(first.time.duration(to: batch.time) <= .milliseconds(100))
            #expect(batch.advertisements.map(\.time) == batch.advertisements.map(\.time).sorted())
        }
        let span = try #require(try scanner.timeSpan())
        #expect(span.lowerBound == batches.first?.time)
        #expect(span.upperBound == batches.last?.time)
    }

    @Test("wherever a capture is truncated, everything before is used and the truncation is reported")
    func truncation() async throws {
        let whole = try Fixture.bytes("bumble_legacy.btsnoop")
        let heard = try await heard(Fixture.path("bumble_legacy.btsnoop"))
        let ends = recordEnds(whole)
        let folder = try TemporaryFolder()
        for length in 16..<whole.count {
            let path = folder.file("\(length)")
            try Data(whole.prefix(length)).write(to: URL(filePath: path))
            let scanner = ReplayScanner(path: path, pacing: .asFastAsPossible)
            let some = try await scanner.allBatches().flatMap(\.heard)
            #expect(heard.starts(with: some))
            let end = try #require(ends.last { $0 <= length })
            let truncation = scanner.summary?.truncation
            #expect(truncation?.offset == (end == length ? nil : end))
            guard let truncation else { continue }
            // Inside a record's header, only the rest of the header is known to be missing.
            let next = length - end < 24 ? end + 24 : try #require(ends.first { $0 > length })
            #expect(truncation.missingByteCount == next - length)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private func heard(_ path: String) async throws -> [Heard] {
        try await ReplayScanner(path: path, pacing: .asFastAsPossible).allBatches().flatMap(\.heard)
    }

    /// The end of the header and of each record.
    private func recordEnds(_ bytes: [UInt8]) -> [Int] {
        var ends = [16]
        while let end = ends.last, end < bytes.count {
            ends.append(end + 24 + bytes[end + 4..<end + 8].reduce(0) { $0 << 8 | Int($1) })
        }
        return ends
    }
}
