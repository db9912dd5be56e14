import Beacons
import Scanning
import TestSupport
import Testing

/// Presence measures silence in recorded time: it must pass evenly and never go back, and hostile time stamps must not
/// stop a replay.
@Suite struct ReplayTimeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Plays reports heard at the given seconds of Unix time.
    private func play(
        _ seconds: [Double], pacing: Pacing = .asFastAsPossible, clock: ImpatientClock = ImpatientClock()
    )
        async throws -> [AdvertisementBatch]
    {
        var capture = SyntheticCapture()
        for (index, time) in seconds.enumerated() {
            capture.record(at: Int64(time * 1e6), [4] + Event.legacy(.init(type: 0, data: [1, UInt8(index & 0xFF)])))
        }
        return try await play(capture, pacing: pacing, clock: clock)
    }

    private func play(
        _ capture: SyntheticCapture, pacing: Pacing = .asFastAsPossible, clock: ImpatientClock = ImpatientClock()
    )
        async throws -> [AdvertisementBatch]
    {
        let path = try capture.saved(in: folder)
        let scanner = ReplayScanner(path: path, pacing: pacing, clock: clock)
        let batches = try await scanner.allBatches()
        let span = try scanner.timeSpan()
        #expect(span?.lowerBound == batches.first?.time)
        #expect(span?.upperBound == batches.last?.time)
        return batches
    }

    private func milliseconds(_ batches: [AdvertisementBatch]) -> [Int64] {
        batches.map { $0.time.nanoseconds / 1_000_000 }
    }

    @Test("reports within 100 ms share a batch, after an empty batch that gives the start time")
    func grouping() async throws {
        let batches = try await play([10, 10.05, 10.1, 10.101, 10.3])
        #expect(milliseconds(batches) == [10000, 10100, 10101, 10300])
        #expect(batches.map(\.advertisements.count) == [0, 3, 1, 1])
    }

    @Test("silence gives an empty batch each second")
    func silence() async throws {
        let batches = try await play([0, 2.5, 3.45, 3.52])
        // The last two are 70 ms apart, but a joint batch would follow the previous one by more than a second.
        #expect(milliseconds(batches) == [0, 0, 1000, 2000, 2500, 3450, 3520])
        #expect(batches.map(\.advertisements.count) == [0, 1, 0, 0, 1, 1, 1])
    }

    @Test("a gap of an hour is filled; a longer one is skipped in one step without a wait")
    func gaps() async throws {
        #expect(try await play([0, 3600]).count == 2 + 3599 + 1)
        let clock = ImpatientClock()
        let batches = try await play([0, 3600.001, 3601], pacing: .recorded, clock: clock)
        #expect(milliseconds(batches) == [0, 0, 3_600_001, 3_600_001, 3_601_000])
        #expect((clock.deadlines.last ?? .seconds(99)) < .seconds(1.1))
    }

    @Test("a clock that is set from 1970 is a step")
    func clockSet() async throws {
        let batches = try await play([100, 1_700_000_000, 1_700_000_000.5])
        #expect(batches.count == 5)
        #expect(batches.last?.time.nanoseconds == 1_700_000_000_500_000_000)
    }

    @Test("disorder within a second stops time briefly")
    func disorder() async throws {
        let batches = try await play([10, 9.2, 9.99, 10.02])
        #expect(milliseconds(batches) == [10000, 10020])
        #expect(batches[1].advertisements.map { $0.time.nanoseconds / 1_000_000 } == [10000, 10000, 10000, 10020])
    }

    @Test("a clock that is set back stops nothing: time continues from where it was")
    func setBack() async throws {
        let batches = try await play([1000, 500, 500.5, 501])
        #expect(milliseconds(batches) == [1_000_000, 1_000_000, 1_000_500, 1_001_000])
        #expect(batches.map(\.advertisements.count) == [0, 2, 1, 1])
    }

    @Test("the most hostile time stamps end in few batches, in order")
    func hostile() async throws {
        var capture = SyntheticCapture()
        for stamp in [0, .max, .min, 0, SyntheticCapture.epoch, .max, -1, .min] as [Int64] {
            capture.record(stamp: stamp, [4] + Event.legacy(.init(type: 0)))
        }
        for pacing in [Pacing.asFastAsPossible, .recorded, .times(.infinity), .times(.nan), .times(0), .times(-1)] {
            let batches = try await play(capture, pacing: pacing)
            #expect(batches.count < 20)
            #expect(batches.map(\.time) == batches.map(\.time).sorted())
            #expect(batches.map(\.advertisements.count).reduce(0, +) == 8)
        }
    }

    @Test("a speed outside the supported ones counts as the nearest of them")
    func speeds() {
        let day = Duration.seconds(86_400)
        let slowest = day / Pacing.speeds.lowerBound
        let fastest = day / Pacing.speeds.upperBound
        #expect(Pacing.times(0).realDuration(of: day) == slowest)
        #expect(Pacing.times(.nan).realDuration(of: day) == slowest)
        #expect(Pacing.times(.infinity).realDuration(of: day) == fastest)
        #expect(Pacing.recorded.realDuration(of: day) == day)
        #expect(Pacing.asFastAsPossible.realDuration(of: day) == .zero)
    }

    @Test("a crowd at one moment is split into batches of at most 256")
    func crowd() async throws {
        var capture = SyntheticCapture()
        let report = Event.Report(type: 0, data: [])
        let event = Event.legacy(report, report, report, report, report, report, report)
        for _ in 0..<200 { capture.record(at: 5, [4] + event) }
        let batches = try await play(capture)
        #expect(batches.map(\.advertisements.count).reduce(0, +) == 1400)
        #expect(batches.allSatisfy { $0.advertisements.count <= 256 })
        #expect(batches.count < 10)
    }

    @Test("records without reports let time pass too, and malformed ones are counted")
    func otherRecords() async throws {
        var capture = SyntheticCapture()
        for second in 0..<4 as Range<Int64> { capture.record(at: second * 700_000, [1, 3, 0x0C, 0]) }
        capture.record(at: 2_200_000, [4, 0x3E, 9])
        let batches = try await play(capture)
        #expect(milliseconds(batches) == [0, 1000, 2000, 2200])
        #expect(batches.map(\.malformed) == [0, 0, 0, 1])
    }

    @Test("a report that waits for its last fragment when the capture ends is delivered")
    func fragments() async throws {
        var capture = SyntheticCapture()
        capture.record(at: 0, [4] + Event.extended(.init(type: 0x20, data: [1])))
        let path = try capture.saved(in: folder)
        let scanner = ReplayScanner(path: path, pacing: .asFastAsPossible)
        #expect(try await scanner.allBatches().flatMap(\.heard).map(\.data) == [[1]])
        #expect(scanner.summary?.truncatedReports == 1)
    }

    @Test("a capture without records gives no batches")
    func empty() async throws {
        #expect(try await play(SyntheticCapture()).isEmpty)
    }

    @Test("a cancelled replay ends at once", arguments: [Pacing.asFastAsPossible, .recorded])
    func cancelled(pacing: Pacing) async throws {
        let scanner = try ReplayScanner(path: Fixture.path("bumble_legacy.btsnoop"), pacing: pacing)
        let replay = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await scanner.allBatches().count
        }
        await #expect(throws: CancellationError.self) { try await replay.value }
    }
}
