import PostgreSQL
import Testing

@testable import RegistryPostgreSQL

@Suite("What a server of PostgreSQL must be like")
struct ServerFactsTests {
    private static func facts(_ change: (inout ServerFacts) -> Void = { _ in }) -> ServerFacts {
        var facts = ServerFacts(
            version: 150_018, encoding: "UTF8", synchronousCommit: "on", synchronousStandbyNames: "ANY 1 (b, c)",
            fsync: "on", fullPageWrites: "on", clockDifference: .milliseconds(-900))
        change(&facts)
        return facts
    }

    @Test("a server with a synchronous standby is accepted, and a single one only if the operator says so")
    func accepted() {
        #expect(Self.facts().obstacle(.standby) == nil)
        #expect(Self.facts().obstacle(.single) == nil)
        let single = Self.facts { $0.synchronousStandbyNames = "" }
        #expect(single.obstacle(.standby) == .noSynchronousStandby)
        #expect(single.obstacle(.single) == nil)
    }

    @Test(
        "a server that could lose or damage what was confirmed is refused", arguments: [Durability.standby, .single])
    func refused(durability: Durability) {
        func obstacle(_ change: (inout ServerFacts) -> Void) -> PostgreSQLOpenError? {
            Self.facts(change).obstacle(durability)
        }
        #expect(obstacle { $0.version = 149_999 } == .oldServer(version: 149_999))
        #expect(obstacle { $0.encoding = "SQL_ASCII" } == .encoding("SQL_ASCII"))
        #expect(obstacle { $0.fsync = "off" } == .unsafe(setting: "fsync", value: "off"))
        #expect(obstacle { $0.fullPageWrites = "off" } == .unsafe(setting: "full_page_writes", value: "off"))
        #expect(obstacle { $0.synchronousCommit = "off" } == .notDurable(synchronousCommit: "off"))
        for difference in [Duration.milliseconds(1001), .milliseconds(-1001), .seconds(86_400 * 365)] {
            #expect(obstacle { $0.clockDifference = difference } == .clock(difference: difference))
        }
    }

    @Test("a commit that does not wait for the standby’s disk is enough only without a standby")
    func commits() {
        for value in ["local", "remote_write"] {
            let facts = Self.facts { $0.synchronousCommit = value }
            #expect(facts.obstacle(.single) == nil)
            #expect(facts.obstacle(.standby) == .notDurable(synchronousCommit: value))
        }
        #expect(Self.facts { $0.synchronousCommit = "remote_apply" }.obstacle(.standby) == nil)
    }

    @Test("each refusal says what to do")
    func remedies() {
        let remedies: [(PostgreSQLOpenError, String)] = [
            (.oldServer(version: 140_003), "version 14: PostgreSQL 15 or newer"),
            (.encoding("LATIN1"), "ENCODING 'UTF8'"), (.noSynchronousStandby, "durability: single"),
            (.unsafe(setting: "fsync", value: "off"), "fsync=off"),
            (.notDurable(synchronousCommit: "off"), "set it to on"),
            (.clock(difference: .milliseconds(-2345)), "2.3 s behind"),
            (.clock(difference: .seconds(90)), "90.0 s ahead of"), (.newerSchema("7, 8"), "newer version"),
            (.unreleasedSchema, "create an empty database"), (.migrating, "try again"), (.refused("no"), "log"),
            (.rights("no"), "OWNER"), (.foreign(table: "invoice"), "“invoice”"),
            (.notAdmitted(.password, "no"), "ALTER ROLE"), (.notAdmitted(.passwordFile, "no"), "0600"),
            (.notAdmitted(.passwordMissing, "no"), "passfile=FILE"), (.notAdmitted(.user, "no"), "pg_hba.conf"),
            (.notAdmitted(.database, "no"), "CREATE DATABASE"), (.notAdmitted(.rights, "no"), "GRANT CONNECT"),
            (.unreachable("no"), "network"),
            (.invalidURL("no"), "invalid: no"),
        ]
        for (error, remedy) in remedies { #expect("\(error)".contains(remedy)) }
    }
}
