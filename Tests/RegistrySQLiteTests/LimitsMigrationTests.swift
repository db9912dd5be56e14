import Foundation
import GRDB
import Registry
import RegistryAPI
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Migration of a database without search days")
struct LimitsMigrationTests {
    @Test("missing bikes stay, search days are counted, and an unconfirmed reference gets thirty days from now")
    func upgrade() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("registry.sqlite")
        let (owner, report) = (OwnerID(high: 1, low: 1), ReportID(high: 2, low: 2))
        do {
            let queue = try DatabaseQueue(path: path)
            try Schema.migrator.migrate(queue, upTo: "missing list journal")
            try await queue.write { db in
                try db.run("INSERT INTO owner (key, id, created, tells_appearance) VALUES (1, ?, 0, 1)", [owner.blob])
                for key in 1...2 as ClosedRange<UInt16> {
                    let beacon = Samples.identity(key).blob
                    try db.run("INSERT INTO identity (beacon, issued) VALUES (?, 0)", [beacon])
                    try db.run(
                        """
                        INSERT INTO bike (key, id, owner, beacon, kind, make, model, colours, created)
                        VALUES (?, ?, 1, ?, 'bicycle', 'A', 'B', 'red', 0)
                        """,
                        [Int(key), BikeID(high: 3, low: UInt64(key)).blob, beacon]
                    )
                }
                // A closed report used three of the seven days.
                try db.run(
                    """
                    INSERT INTO report (id, bike, opened, missing_since, sightings_until, closed, outcome)
                    VALUES (?, 1, 0, 0, ?, ?, 'recovered')
                    """,
                    [ReportID(high: 2, low: 1).blob, 7 * 86_400_000, 3 * 86_400_000]
                )
                try db.run(
                    "INSERT INTO report (id, bike, opened, missing_since, police_reference) VALUES (?, 2, 0, 0, 'x')",
                    [report.blob]
                )
                try db.run("INSERT INTO missing_list_entry SELECT beacon FROM bike WHERE key = 2", [])
            }
            try queue.close()
        }
        let store = try await SQLiteRegistryStore.opening(path)
        #expect(try await store.missingList().identities == [Samples.identity(2)])
        let review = try await store.review(of: owner)
        #expect(review.owner.reports == 2 && review.owner.unconfirmed == 2)
        let until = try #require(review.reports.first { $0.id == report }?.sightingsUntil)
        let left = Double(until.milliseconds) / 1000 - Date().timeIntervalSince1970
        #expect((29.9 * 86_400...30 * 86_400).contains(left))
        // When an open search was put on the list is unknown: at the latest now.
        let listed = try await store.read { db in
            try db.rows("SELECT listed_since FROM report ORDER BY id", []).map { try $0["listed_since"] as Int64? }
        }
        #expect(listed.count == 2 && listed[0] == nil && listed[1].map { $0 > 1_700_000_000_000 } == true)
        let used = try await store.read { db in
            try db.integer("SELECT searched_on_word FROM identity WHERE beacon = ?", [Samples.identity(1).blob])
        }
        #expect(used == Int64(3 * 86_400_000))
    }
}
