import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("The watch for a new primary")
struct PrimaryWatchTests {
    @Test("a promotion is noticed without a new connection, and an open connection is no longer used")
    func promotion() async throws {
        let old = try await PostgreSQLCluster()
        let new = try await old.standby()
        let settings = try ConnectionSettings(
            "postgresql://\(PostgreSQLCluster.user)@/postgres?host=/nonexistent,\(old.folder.path),\(new.folder.path)"
                + "&port=1,\(old.port),\(new.port)")
        let timelines = Timelines()
        let watch = PrimaryWatch(settings, deadlines: generous, timelines: timelines)
        let pool = ConnectionPool(
            settings, generous, limits: .init(connections: 1, waitingTime: .seconds(60)), timelines: timelines)
        #expect(try await pool.use { $0.timeline } == 1)
        try await new.promote()
        try await eventually("the new primary is known") { timelines.highest == 2 }
        #expect(try await pool.use { $0.host } == settings.hosts[2])
        await watch.stop()
        await pool.shutDown()
        await old.stop()
        await new.stop()
    }

    @Test("what is known counts for a limited time, and only for the latest primary")
    func expiry() {
        let timelines = Timelines()
        #expect(timelines.accept(1) && timelines.isCurrent(1))
        timelines.expire(after: .zero)
        #expect(!timelines.isCurrent(1), "a process that stood still must ask")
        timelines.expire(after: .seconds(3600))
        #expect(timelines.accept(1) && timelines.isCurrent(1))
        #expect(timelines.accept(2) && !timelines.isCurrent(1) && timelines.isCurrent(2))
        #expect(!timelines.accept(1) && timelines.highest == 2)
    }
}
