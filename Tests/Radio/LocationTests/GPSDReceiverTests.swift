import Beacons
import Foundation
import Logging
import Scanning
import Synchronization
import TestSupport
import Testing

@testable import Location

/// A mobile station must know its place, even if the receiver fails at times.
@Suite("Following gpsd", .timeLimit(.minutes(20)))
struct GPSDReceiverTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func fixture(_ name: String) throws -> String {
        try #require(Bundle.module.path(forResource: name, ofType: nil, inDirectory: "Fixtures"))
    }

    /// A clock whose sleeps end at once; its time is real.
    private struct HastyClock: ScanClock {
        var now: ScanInstant { BootClock.now() }
        var minimumResolution: Duration { .nanoseconds(1) }
        func sleep(until deadline: ScanInstant, tolerance: Duration?) async throws {
            try Task.checkCancellation()
        }
    }

    /// Follows gpsd until this number of places has been reported.
    private func follow(port: Int, places count: Int) async throws -> (fixes: [GPSFix], state: GPSDReceiver.State) {
        let (stream, continuation) = AsyncStream.makeStream(of: GPSFix.self)
        let receiver = GPSDReceiver(host: "localhost", port: port, clock: HastyClock(), logger: logger) { fix, _ in
            continuation.yield(fix)
        }
        let task = Task { try await receiver.run() }
        var fixes: [GPSFix] = []
        for await fix in stream {
            fixes.append(fix)
            if fixes.count == count { break }
        }
        let state = receiver.state
        task.cancel()
        try await task.value
        return (fixes, state)
    }

    @Test("gpsd's places are followed as they change, with their accuracy")
    func real() async throws {
        let gpsd = try PythonPeer(
            try fixture("gpsd.py"), [try fixture("walk.nmea")],
            remedy: "install the Debian packages gpsd and gpsd-clients")
        let (fixes, state) = try await follow(port: gpsd.port, places: 20)
        #expect(
            fixes.allSatisfy { (51.5007...51.5008).contains($0.latitude) && ($0.longitude + 0.12463).magnitude < 1e-6 })
        #expect(Set(fixes.map(\.latitude)).count > 5)
        #expect(fixes.contains { ($0.accuracy ?? 0) > 0 })
        #expect(state.isConnected)
        #expect(state.hasFix)
        #expect(state.garbled == 0)
    }

    @Test("invalid data, endless lines and lost connections affect nothing else")
    func hostile() async throws {
        let server = try PythonPeer(try fixture("hostile.py"))
        let (fixes, state) = try await follow(port: server.port, places: 2)
        #expect(fixes.map(\.latitude) == [45, 46])
        #expect(fixes.first?.accuracy == 5)
        #expect(state.garbled >= 4)
        #expect(state.lastError?.contains("closed the connection") == true)
    }

    @Test("a gpsd that floods is left, and says so, after no more work than a second may have")
    func flood() async throws {
        let server = try PythonPeer(try fixture("hostile.py"), ["flood"])
        // It stands still, so all of this is in one second.
        let clock = SteppedClock()
        let places = Tally()
        let receiver = GPSDReceiver(host: "localhost", port: server.port, clock: clock, logger: logger) { _, _ in
            places.add()
        }
        let task = Task { try await receiver.run() }
        // It waits before it tries again.
        await clock.sleepers()
        #expect(receiver.state.lastError?.contains("sends more than any receiver") == true)
        #expect(!receiver.state.isConnected)
        #expect(places.count <= 500)
        task.cancel()
        try await task.value
    }

    @Test(
        "a gpsd that ends each connection at once is logged once, not at each attempt",
        arguments: [("error", 1), ("flapping", 2)])
    func ending(kind: String, lines: Int) async throws {
        let server = try PythonPeer(try fixture("hostile.py"), [kind])
        let clock = ImpatientScanClock(limit: 40)
        let log = LogLines()
        let receiver = GPSDReceiver(
            host: "127.0.0.1", port: server.port, clock: clock, logger: log.logger(.info)
        ) { _, _ in }
        try await receiver.run()
        #expect(clock.sleeps.count == 40)
        #expect(log.messages == ["connected to gpsd", "no position from gpsd"].suffix(lines))
    }

    @Test("a gpsd that is not running is reported, and retried")
    func absent() async throws {
        let clock = ImpatientScanClock(limit: 5)
        let receiver = GPSDReceiver(host: "127.0.0.1", port: 1, clock: clock, logger: logger) { _, _ in }
        try await receiver.run()
        #expect(clock.sleeps == [1, 2, 4, 8, 16].map { .seconds($0) })
        #expect(receiver.state.lastError?.contains("127.0.0.1:1 cannot be reached") == true)
        #expect(!receiver.state.isConnected)
    }
}

/// A clock whose sleeps end at once, up to a limit.
private final class ImpatientScanClock: ScanClock {
    private let state = Mutex<(now: ScanInstant, sleeps: [Duration])>((ScanInstant(nanoseconds: 0), []))
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var now: ScanInstant { state.withLock(\.now) }
    var minimumResolution: Duration { .nanoseconds(1) }
    var sleeps: [Duration] { state.withLock(\.sleeps) }

    func sleep(until deadline: ScanInstant, tolerance: Duration?) async throws {
        let count = state.withLock { state in
            state.sleeps.append(state.now.duration(to: deadline))
            state.now = deadline
            return state.sleeps.count
        }
        if count >= limit { throw CancellationError() }
    }
}
