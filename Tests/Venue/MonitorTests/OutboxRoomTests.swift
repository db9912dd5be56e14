import Beacons
import RegistryAPI
import StationStatus
import TestSupport
import Testing

@testable import Monitor

/// An outbox that cannot be emptied for weeks must stay small and report what it dropped.
@Suite("An outbox that is too full")
struct OutboxRoomTests {
    private let folder: TemporaryFolder
    private var maker = VisitMaker()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func outbox(_ limits: OutboxLimits) throws -> Outbox {
        try Outbox(path: folder.file("outbox.sqlite"), limits: limits)
    }

    private mutating func visit(minor: UInt16, at seconds: Int, ended: Bool = true) -> Visit {
        var visit = maker.visit(ended: ended)
        visit.identity = BeaconIdentity(uuid: visit.identity.uuid, major: 1, minor: minor)
        visit.firstSeen = Timestamp(milliseconds: 1_795_241_585_000 + Int64(seconds) * 1000)
        visit.lastSeen = visit.firstSeen.advanced(by: .seconds(60))
        return visit
    }

    @Test("the oldest visits by a bike are merged before any visit is dropped")
    mutating func merging() async throws {
        let outbox = try outbox(OutboxLimits(visits: 100))
        let visits = (0..<101).map { visit(minor: UInt16($0 % 50), at: $0 * 100) }
        try await outbox.record(visits)
        let summary = try await outbox.summary()
        #expect(summary.waiting == 95)
        #expect(summary.tally == [.merged: 6])
        let merged = try #require(try await outbox.pending().first).visit
        #expect(merged.id == visits[0].id)
        #expect(merged.firstSeen == visits[0].firstSeen)
        #expect(merged.lastSeen == visits[50].lastSeen)
        #expect(merged.count == 4)
    }

    @Test("a merged visit names the receiver of the strongest frame")
    mutating func mergedReceiver() {
        var merging = VisitMerging()
        for (name, strongest) in [("bar", -70), ("door", -50), ("yard", -60)] {
            var next = visit(minor: 1, at: 0)
            next.rssi = SignalStrength(min: -90, max: strongest)
            next.receiver = VenueReceiver(name: name)
            _ = merging.take(StationVisit(next), isReported: false, consent: 0)
        }
        #expect(merging.changed.map(\.visit.receiver?.name) == ["door"])
    }

    @Test("visits that cannot be merged are dropped, oldest first, and counted; open visits stay")
    mutating func dropping() async throws {
        let outbox = try outbox(OutboxLimits(visits: 100))
        let open = visit(minor: 9999, at: 0, ended: false)
        try await outbox.record([open])
        let visits = (0..<100).map { visit(minor: UInt16($0), at: $0) }
        try await outbox.record(visits)
        let kept = try await outbox.pending().map(\.visit.id)
        #expect(kept == [open.id] + visits.dropFirst(6).map(\.id))
        #expect(try await outbox.summary().tally == [.droppedForSize: 6])
    }

    @Test("a flood of beacons heard once evicts no bike that was heard more often")
    mutating func flood() async throws {
        let outbox = try outbox(OutboxLimits(visits: 100))
        let own = visit(minor: 9999, at: 0)
        try await outbox.record([own])
        for round in 0..<20 {
            var replayed = (0..<50).map { visit(minor: UInt16(round * 50 + $0), at: 100 + round * 50 + $0) }
            for index in replayed.indices { replayed[index].count = 1 }
            try await outbox.record(replayed)
        }
        #expect(try await outbox.pending().map(\.visit.id).contains(own.id))
        #expect(try await outbox.summary().waiting <= 100)
    }

    @Test("visits more than a day apart are not merged, nor is a visit that the registry has merged into another")
    mutating func bounds() throws {
        var merging = VisitMerging()
        let taken = [
            merging.take(StationVisit(visit(minor: 1, at: 0)), isReported: false, consent: 0),
            merging.take(StationVisit(visit(minor: 1, at: 86_400)), isReported: false, consent: 0),
            merging.take(StationVisit(visit(minor: 1, at: 86_500)), isReported: true, consent: 0),
            merging.take(StationVisit(visit(minor: 1, at: 86_600)), isReported: false, consent: 1),
            merging.take(StationVisit(visit(minor: 1, at: 86_600)), isReported: false, consent: 0),
        ]
        #expect(taken == [false, false, false, false, true])
        #expect(merging.changed.count == 1)
    }

    @Test("visits too old for the registry are dropped and counted, but not while the time is unknown")
    mutating func age() async throws {
        let outbox = try outbox(OutboxLimits())
        let clocks = HandClocks()
        try await outbox.record([visit(minor: 1, at: 0), visit(minor: 2, at: 40 * 86_400)])
        clocks.pass(.days(31))
        let unset = HandClocks(error: .days(100), isSynchronised: false)
        try await outbox.expire(unset.clock())
        #expect(try await outbox.depth() == 2)
        try await outbox.expire(clocks.clock())
        #expect(try await outbox.pending().map(\.visit.identity.minor) == [2])
        #expect(try await outbox.summary().tally == [.droppedForAge: 1])
    }

    @Test("a full outbox with a month's backlog is compacted in bounded time, and loses no bike")
    mutating func backlog() async throws {
        let outbox = try outbox(OutboxLimits(visits: 2000))
        for day in 0..<20 {
            try await outbox.record((0..<200).map { visit(minor: UInt16($0 % 20), at: day * 86_400 + $0 * 400) })
        }
        let summary = try await outbox.summary()
        #expect(summary.waiting <= 2000)
        #expect(summary.tally[.droppedForSize] == nil)
        var frames: Int64 = 0
        while case let batch = try await outbox.pending(), !batch.isEmpty {
            frames += batch.reduce(0) { $0 + $1.visit.count }
            try await outbox.settle(batch.map { ($0, VisitResult(id: $0.visit.id, result: .stored)) })
        }
        #expect(frames == 8000)
    }
}
