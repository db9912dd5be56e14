import GRDB
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Query plans")
struct QueryPlanTests {
    @Test(
        "statements that run for every request never scan a whole table",
        arguments: [
            "SELECT * FROM token WHERE digest = x'00'",
            "SELECT beacon FROM identity WHERE beacon BETWEEN x'00' AND x'FF' ORDER BY beacon DESC LIMIT 1",
            "SELECT * FROM bike WHERE owner = 1 AND id > x'00' ORDER BY id LIMIT 10",
            "SELECT * FROM report WHERE bike = 1 AND id > x'00' ORDER BY id LIMIT 10",
            Self.plain(BikeAccess.query), "SELECT owner FROM bike_member WHERE bike = 1",
            "SELECT count(*) FROM bike_member WHERE owner = 1",
            "SELECT count(*) FROM bike_invitation WHERE bike = 1 AND expires > 1",
            "SELECT * FROM bike_invitation WHERE digest = x'00' AND expires > 1",
            "UPDATE bike_invitation SET expires = 0 WHERE expires <= 1",
            "DELETE FROM bike_invitation WHERE expires = 0",
            "DELETE FROM bike_invitation WHERE inviter = (SELECT key FROM bike_member WHERE id = x'00')",
            "SELECT report.key FROM bike JOIN report ON report.bike = bike.key WHERE bike.beacon = x'00'",
            "SELECT * FROM sighting WHERE station = 1 AND visit = x'00'",
            "SELECT 1 FROM sighting WHERE station = 1 AND stay = x'00' AND report = 1",
            "SELECT * FROM sighting WHERE report = 1 AND revision > 0 ORDER BY revision LIMIT 10",
            Sighting.query + "WHERE sighting.report = 1 AND sighting.revision > 0 ORDER BY sighting.revision LIMIT 10",
            "SELECT max(revision) FROM sighting WHERE report = 1",
            "SELECT 1 FROM sighting WHERE station = 1 AND stay = x'00' AND +report = 2",
            "SELECT max(since) FROM station_place WHERE station = 1 AND since <= 2",
            "SELECT reports_everything FROM station_hour WHERE station = 1 AND hour = 2",
            "SELECT key FROM sighting WHERE station = 1 AND visit BETWEEN x'00' AND x'FF' ORDER BY visit LIMIT 1000",
            "SELECT key FROM channel WHERE owner = 1 AND removed IS NULL",
            "SELECT * FROM token WHERE owner = 1 AND id > x'00' ORDER BY id LIMIT 10",
            "SELECT * FROM token WHERE owner = 1 AND id > x'00' AND expires > 1 ORDER BY id LIMIT 10",
            "UPDATE token SET expires = 0 WHERE expires <= 1",
            "DELETE FROM token WHERE expires = 0",
            "SELECT 1 FROM token WHERE parent = x'00'",
            "SELECT 1 FROM token WHERE passkey = 1",
            "SELECT * FROM passkey WHERE digest = x'00'",
            "SELECT * FROM passkey WHERE owner = 1 ORDER BY id",
            "DELETE FROM recovery_code WHERE digest = x'00' AND owner = 1",
            "SELECT count(*) FROM recovery_code WHERE owner = 1",
            "SELECT * FROM bike_event WHERE bike = 1 AND key > 0 ORDER BY key LIMIT 10",
            "SELECT * FROM bike LEFT JOIN report ON report.bike = bike.key AND report.closed IS NULL WHERE beacon = x'00'",
            "SELECT bike FROM transfer WHERE code = x'00' AND expires > 1",
            "SELECT * FROM report WHERE closed IS NULL AND opened <= 1 LIMIT 100",
            "SELECT * FROM report WHERE closed IS NULL AND listed = 1 AND sightings_until <= 1 LIMIT 100",
            "SELECT * FROM report WHERE closed IS NOT NULL AND sightings_deleted IS NULL AND closed <= 1 ORDER BY closed",
            "DELETE FROM alert WHERE notice IS NOT NULL AND due IS NULL AND created < 1",
            "DELETE FROM channel WHERE removed IS NOT NULL",
            Self.plain(AlertClaims.waiting("next_urgent")), Self.plain(AlertClaims.waiting("next_calm")),
            Self.plain(AlertClaims.due),
            "UPDATE alert SET due = 1 WHERE channel = 2 AND due IS NOT NULL",
            "SELECT count(*) FROM mailbox_question WHERE mailbox = x'00' AND time > 1",
            "DELETE FROM mailbox_question WHERE time <= 1",
            "SELECT key FROM sighting WHERE station = 1 AND visit > x'00' ORDER BY visit LIMIT 100",
            "SELECT time FROM channel_message WHERE owner = 1 AND purpose = 'test' AND time > 1 ORDER BY time",
            "DELETE FROM channel_message WHERE time <= 1",
            """
            SELECT alert.* FROM channel JOIN alert ON alert.channel = channel.key
            WHERE channel.id = x'00' AND alert.id < x'FF' ORDER BY alert.id DESC LIMIT 9
            """,
            "SELECT told FROM alert WHERE thread = 1 AND channel = 2 AND key <> 3 AND told IS NOT NULL",
            "SELECT key FROM alert WHERE report = 1 AND channel = 2 AND due IS NOT NULL AND attempts = 0",
            "UPDATE alert SET sighting = 1 WHERE thread = 2 AND due IS NOT NULL AND news = ''",
            "UPDATE alert SET delivered = 1 WHERE digest = 1",
            Self.plain(AlertSettlements.claimed),
            "SELECT min(next_urgent) FROM channel WHERE kind = 'webhook' AND standing = 1 AND next_urgent IS NOT NULL",
            "SELECT min(next_calm) FROM channel WHERE kind = 'webhook' AND standing = 1 AND next_calm IS NOT NULL",
            "SELECT late, since, alerts FROM alert_share WHERE report = 1 AND station = 2",
            "SELECT * FROM reminder WHERE told IS NULL AND due <= 1 ORDER BY due LIMIT 100",
            "SELECT key FROM report WHERE closed IS NULL AND quiet_check <= 1 LIMIT 100",
            "DELETE FROM reminder WHERE date < 1",
            "DELETE FROM sighting WHERE thread = 1",
            "DELETE FROM once WHERE created < 1",
            "SELECT * FROM audit WHERE owner = x'00' AND report = x'00' ORDER BY key DESC LIMIT 10",
            "SELECT * FROM audit WHERE key > 1 AND owner = x'00' AND action = 'x' ORDER BY key LIMIT 10",
            "UPDATE audit SET salt = NULL WHERE owner = x'00'",
            "SELECT beacon FROM missing_list_change WHERE version > 1 AND version <= 2 ORDER BY version",
            "SELECT 1 FROM missing_list_entry WHERE beacon = x'00'",
            "DELETE FROM missing_list_change WHERE version <= 1",
            """
            SELECT key FROM owner WHERE (unconfirmed, id) < (1, x'00') ORDER BY unconfirmed DESC, id DESC LIMIT 10
            """,
            "SELECT max(last_used) FROM token WHERE owner = 1",
            """
            SELECT time FROM daily_use WHERE owner = 1 AND use = 'identities' AND time > 1 ORDER BY time DESC LIMIT 40
            """,
            "DELETE FROM daily_use WHERE time <= 1",
            "SELECT * FROM notice_rate WHERE held > 0 AND until <= 1 LIMIT 100",
            "SELECT * FROM notice_rate WHERE held > 0 AND owner = 1",
            "SELECT until FROM notice_rate WHERE owner = 1 AND event = 'token.created' AND bike = x''",
            """
            SELECT * FROM report WHERE closed IS NULL AND listed = 1 AND search_end_told IS NULL AND sightings_until > 1
            AND sightings_until <= 2 LIMIT 100
            """,
            "SELECT 1 FROM bike WHERE owner = 1 AND beacon IS NOT NULL LIMIT 20",
            "SELECT count(*) FROM bike_event WHERE bike = 1 AND event = 'found'",
            "SELECT * FROM share JOIN report ON report.key = share.report WHERE digest = x'00'",
            """
            SELECT share.* FROM report JOIN share ON share.report = report.key WHERE report.bike = 1 AND share.id = x'00'
            """,
            "SELECT count(*) FROM share WHERE report = 1 AND ends > 2",
            "SELECT * FROM share WHERE report = 1 ORDER BY id",
            "SELECT 1 FROM share WHERE token = x'00'",
            "UPDATE share SET ends = 0 WHERE ends <= 1",
            "DELETE FROM share WHERE ends = 0",
            Self.plain(DisplayReading.query),
            DisplayReading.here.replacing(#/\?(\d)/#) { $0.output.1 },
            StaffPhotos.here.replacing(#/\?(\d)/#) { $0.output.1 },
            DisplayReading.answerable.replacing(#/\?(\d)/#) { $0.output.1 },
            "SELECT * FROM display WHERE code = x'00' AND created > 1",
            "SELECT * FROM display WHERE station = 1 AND expires > 2 ORDER BY id",
            "DELETE FROM display WHERE station = 1 AND digest IS NULL",
            "UPDATE display SET expires = 0 WHERE expires <= 1",
            "SELECT quarters FROM station_coverage WHERE station = 1 AND day = 2",
            "SELECT day, quarters FROM station_coverage WHERE station = 1 AND day BETWEEN 2 AND 3 ORDER BY day",
            "DELETE FROM station_coverage WHERE key IN (SELECT key FROM station_coverage WHERE day < 1 LIMIT 9)",
            "SELECT first_seen, last_seen FROM sighting WHERE report = 1 AND station = 2",
            SearchCoverage.candidates.replacing(#/\?(\d)/#) { $0.output.1 },
            Self.plain(NumberChecks.isMissing), Self.plain(NumberChecks.similar),
            Self.plain(NumberChecks.byTime), Self.plain(NumberChecks.confirmed),
            "SELECT digest, consent FROM bike_number WHERE bike = 1",
            "UPDATE bike_number SET consent = NULL WHERE consent = x'00'",
            Self.plain(FinderConversations.reportingAreas),
            "SELECT min(station) FROM slot_witness WHERE report = 1 AND lag = 2",
            "SELECT max(slot) FROM slot_witness WHERE report = 1 AND lag = 2 AND slot BETWEEN 3 AND 4",
            """
            SELECT first_seen FROM slot_witness WHERE report = 1 AND lag = 2 AND slot BETWEEN 3 AND 4
            ORDER BY slot, first_seen LIMIT 64
            """,
            "SELECT lag FROM slot_lag WHERE report = 1 AND lag < 2 ORDER BY lag DESC LIMIT 32",
            """
            SELECT * FROM sighting WHERE report = 1 AND slot IS NOT NULL AND (slot, key) > (2, 3)
            ORDER BY slot, key LIMIT 9
            """,
            "SELECT * FROM sighting WHERE report = 1 AND slot IS NOT NULL AND slot BETWEEN 2 AND 3 ORDER BY slot LIMIT 9",
            "SELECT bike FROM sticker WHERE digest = x'00'",
            "SELECT 1 FROM finder_block WHERE bike = 1 AND network = 2 AND time > 3",
            "SELECT bike, network FROM finder_block WHERE time <= 1 LIMIT 100",
            "SELECT key, id FROM conversation WHERE bike = 1 AND writer = 2 AND closed IS NULL AND key <> 3",
            "SELECT count(*) FROM conversation WHERE bike = 1 AND waiting = 1",
            """
            SELECT count(*) FROM conversation
            WHERE reported_owner = x'00' AND reported_by = 'owner' AND reported IS NOT NULL AND settled IS NULL
            """,
            ConversationBounds.ofAccount.replacing("?", with: "1"),
            "SELECT text FROM conversation_message WHERE conversation = 1 ORDER BY key LIMIT 1",
            "SELECT * FROM conversation WHERE digest = x'00'",
            "SELECT * FROM conversation WHERE id = x'00' AND bike = 1",
            "SELECT count(*) FROM conversation WHERE target = x'00' AND subscriber = 1 AND began > 2",
            "SELECT count(*) FROM conversation WHERE target = x'00' AND answered = 0 AND reported IS NULL",
            "SELECT * FROM conversation_message WHERE conversation = 1 ORDER BY key DESC LIMIT 1",
            "SELECT key FROM conversation WHERE untold = 1 ORDER BY key LIMIT 100",
            "SELECT * FROM conversation WHERE bike = 1 ORDER BY key",
            "SELECT key FROM conversation WHERE closed IS NULL AND changed <= 1 LIMIT 100",
            "SELECT key FROM conversation WHERE closed <= 1 LIMIT 100",
            """
            SELECT * FROM conversation WHERE reported IS NOT NULL AND settled IS NULL AND id > x'00'
            ORDER BY id LIMIT 100
            """,
            Self.plain(DeskSessions.query + "WHERE desk_session.digest = ?"),
            Self.plain(DeskSessions.query + "WHERE operator.id = ? ORDER BY desk_session.id"),
            Self.plain(DeskPasskeys.query + "WHERE digest = ?"),
            "SELECT 1 FROM desk_session WHERE passkey = 1",
            DeliveryErrorCounts.recent.replacing(#/\?(\d)/#) { $0.output.1 },
            Self.plain(OverviewCounts.waitingAlerts), Self.plain(OverviewCounts.oldestAlert),
            OverviewCounts.suspectOwners, Self.plain(OverviewCounts.disputed), Self.plain(ReferenceReviews.query),
            Self.plain(SearchSigns.query),
        ]
    )
    func usesAnIndex(sql: String) async throws {
        let plan = try await plan(sql)
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN") && !$0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test("a page of sightings sorts the keys of one report, using only an index")
    func page() async throws {
        let plan = try await plan(Self.plain(Sighting.page[.sqlite]))
        #expect(plan.contains("SEARCH sighting USING COVERING INDEX sighting_revision (report=?)"), "\(plan)")
        #expect(plan.filter { $0.contains("TEMP B-TREE") }.count == 1, "\(plan)")
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plan)")
    }

    @Test("the sightings around a moment are found by an index, station by station", arguments: [true, false])
    func neighbours(areCounted: Bool) async throws {
        let sql = areCounted ? Neighbours.counts : Neighbours.rows[.sqlite]
        let plan = try await plan(sql.replacing(#/\?(\d)/#) { $0.output.1 })
        let known = ["walk", "heard", "side", "earlier", "later", "CONSTANT ROW"].map { "SCAN \($0)" }
        let scans = plan.filter { $0.hasPrefix("SCAN") }
        #expect(scans.allSatisfy { known.contains($0) }, "\(plan)")
        #expect(plan.allSatisfy { !$0.contains("TEMP B-TREE") && !$0.contains("AUTOMATIC") }, "\(plan)")
        let sides = plan.filter {
            $0.contains("COVERING INDEX sighting_neighbours (report=? AND station=? AND last_seen>? AND last_seen<?)")
        }
        // One in each step, and then for each station three numbers or the nearest sightings.
        #expect(sides.count == (areCounted ? 4 : 5), "\(plan)")
        // The stations of other registries are skipped.
        #expect(plan.contains { $0.contains("INDEX station_partner (<expr>=? AND key<?)") }, "\(plan)")
        #expect(plan.contains { $0.contains("sighting_neighbours (report=? AND station<?)") }, "\(plan)")
    }

    @Test(
        "what the overview counts is in indexes that hold only what waits",
        arguments: [
            (OverviewCounts.waitingClaims, "beacon_claim_waiting"),
            (OverviewCounts.waitingReferences[.sqlite], "report_reference"),
            (OverviewCounts.reportedMessages, "conversation_reported"),
            (OverviewCounts.disputed, "sighting_disputed"), (SearchEnds.waiting, "report_searched"),
            (OverviewCounts.searchesToCheck, "report_signs"), (SearchStops.waiting, "search_stop_objected"),
        ])
    func waiting(sql: String, index: String) async throws {
        let plan = try await plan(Self.plain(sql))
        let uses = ["USING COVERING INDEX \(index)", "USING INDEX \(index)"]
        #expect(plan.contains { step in uses.contains { step.contains($0) } }, "\(plan)")
    }

    @Test("the index of disputed sightings has the reasons that contradict one")
    func disputingReasons() {
        #expect(
            SightingReason.bits(Set(SightingReason.allCases.filter { $0.supports == false }))
                == OverviewCounts.contradicting)
    }

    @Test("the bikes of an owner and those shared with the owner are found by indexes, and only the shared ones sorted")
    func bikes() async throws {
        let sql = Bikes.visible.replacing("?1", with: "1").replacing("?2", with: "x'00'").replacing("?3", with: "4")
            .replacing("?4", with: "10")
        let plan = try await plan(sql)
        #expect(plan.filter { $0.contains("TEMP B-TREE") }.count <= 1, "\(plan)")
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plan)")
    }

    @Test("the channels for alerts about a bike are found by indexes")
    func alertChannels() async throws {
        let plan = try await plan(AlertChannel.query.text(forRows: 1).sql.replacing("?", with: "1"))
        #expect(plan.allSatisfy { !$0.contains("TEMP B-TREE") }, "\(plan)")
        for table in ["bike", "bike_member", "owner", "channel"] {
            #expect(!plan.contains { $0.hasPrefix("SCAN \(table)") }, "\(plan)")
        }
    }

    @Test(
        "what is read and written for the alerts of a set is found by an index",
        arguments: [
            SightingAlerts.joining, SightingAlerts.redirecting, SightingAlerts.remembering,
            AlertRules.History.shares, AlertRules.EarlierAlert.latest, SightingNews.threadAlerts,
        ])
    func alertSets(statement: SetStatement) async throws {
        for rows in [1, 64] {
            let plan = try await plan(Self.plain(statement.text(forRows: rows).sql))
            let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.contains("CONSTANT ROW") && !$0.contains("given") }
            #expect(scans.isEmpty && !plan.contains { $0.contains("AUTOMATIC") }, "\(plan)")
        }
    }

    private static func plain(_ sql: String) -> String { sql.replacing("?", with: "1") }

    private func plan(_ sql: String) async throws -> [String] {
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
        return try await store.read { db in
            try db.rows("EXPLAIN QUERY PLAN " + sql, []).map { try $0["detail"] as String }
        }
    }
}
