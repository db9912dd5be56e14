import GRDB
import TestSupport
import Testing

@testable import RegistrySQLite

@Suite("Query plans")
struct QueryPlanTests {
    @Test(
        "what runs for every request never walks a whole table",
        arguments: [
            "SELECT * FROM token WHERE digest = x'00'",
            "SELECT beacon FROM identity WHERE beacon BETWEEN x'00' AND x'FF' ORDER BY beacon DESC LIMIT 1",
            "SELECT * FROM bike WHERE owner = 1 AND id > x'00' ORDER BY id LIMIT 10",
            "SELECT * FROM report WHERE bike = 1 AND id > x'00' ORDER BY id LIMIT 10",
            "SELECT report.key FROM bike JOIN report ON report.bike = bike.key WHERE bike.beacon = x'00'",
            "SELECT * FROM sighting WHERE station = 1 AND visit = x'00'",
            "SELECT 1 FROM sighting WHERE station = 1 AND stay = x'00' AND report = 1",
            "SELECT * FROM sighting WHERE report = 1 AND key > 0 ORDER BY key LIMIT 10",
            "SELECT key FROM channel WHERE owner = 1",
            "SELECT key FROM alert WHERE due <= 1 ORDER BY due, key LIMIT 16",
            "SELECT min(due) FROM alert WHERE due IS NOT NULL",
            "DELETE FROM once WHERE created < 1",
            "SELECT beacon FROM missing_list_change WHERE version > 1 AND version <= 2 ORDER BY version",
            "SELECT 1 FROM missing_list_entry WHERE beacon = x'00'",
            "DELETE FROM missing_list_change WHERE version <= 1",
        ]
    )
    func usesAnIndex(sql: String) async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(path: folder.file("registry.sqlite"))
        let plan = try await store.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql).map { $0["detail"] as String }
        }
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN") && !$0.contains("TEMP B-TREE") }, "\(plan)")
    }
}
