import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("The choice of the primary")
struct PrimaryChoiceTests {
    private func url(_ clusters: PostgreSQLCluster...) -> String {
        "postgresql://\(PostgreSQLCluster.user)@/postgres?host=\(clusters.map(\.folder.path).joined(separator: ","))"
            + "&port=\(clusters.map { String($0.port) }.joined(separator: ","))"
    }

    @Test("a restarted old primary is never used beside a promoted standby, or after it")
    func timelines() async throws {
        let old = try await PostgreSQLCluster()
        let new = try await old.standby()
        let settings = try ConnectionSettings(url(old, new))
        let timelines = Timelines()
        let pool = ConnectionPool(
            settings, generous, limits: .init(connections: 1, waitingTime: .seconds(60)), timelines: timelines)
        let hosts = settings.hosts
        #expect(try await pool.use { $0.host } == hosts[0])
        let standbyOnly = try ConnectionSettings(new.url())
        try await onThread {
            let error = try failure { _ = try Connection.open(standbyOnly, generous, timelines: Timelines()) }
            #expect(error.kind == .unavailable && error.message.contains("standby"))
        }
        let later = Timelines()
        try await onThread {
            let kept = try Connection.open(try ConnectionSettings(old.url()), generous, timelines: later)
            #expect(kept.isCurrent)
            _ = later.accept(2)
            // The holder must notice, although the old primary still answers.
            #expect(kept.isOpen && !kept.isCurrent)
        }
        await old.stop()
        try await new.promote()
        try await old.start()

        try await onThread {
            // Named first, and accepting writes.
            let connection = try Connection.open(settings, generous, timelines: Timelines())
            #expect(connection.host == hosts[1] && connection.timeline == 2)
        }
        #expect(try await pool.use { $0.host } == hosts[1])
        #expect(timelines.highest == 2)

        await new.stop()
        try await onThread {
            let error = try failure { _ = try Connection.open(settings, generous, timelines: timelines) }
            #expect(error.kind == .unavailable && error.message.contains("old primary"))
        }
        await pool.shutDown()
        await old.stop()
    }

    @Test("a host that does not exist does not hide the primary")
    func deadHost() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        let url =
            "postgresql://\(PostgreSQLCluster.user)@/postgres?host=/nonexistent,\(cluster.folder.path)"
            + "&port=\(cluster.port)"
        let one = try await onThread { try open(url).integer("SELECT 1") }
        #expect(one == 1)
    }
}
