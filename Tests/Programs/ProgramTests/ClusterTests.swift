import Beacons
import Foundation
import MissingList
import PostgreSQLTestSupport
import RegistryAPI
import RegistryClient
import RegistryRules
import Terminal
import TestSupport
import Testing

@testable import findmybike_registry

/// Two registries on one database, from outside.
@Suite("Registries on PostgreSQL", .timeLimit(.minutes(30)))
struct ClusterTests {
    private let scene: PostgreSQLScene

    init() async throws { scene = try await PostgreSQLScene() }

    private static func identity(_ minor: UInt16) -> BeaconIdentity {
        BeaconIdentity(uuid: ProximityUUID(high: 0x494E_5445_4C4C_495F, low: 9), major: 1, minor: minor)
    }

    private static func visit(of identity: BeaconIdentity) -> Visit {
        var entropy = SystemRandomNumberGenerator()
        let now = Timestamp.now
        return Visit(
            id: VisitID(at: now, using: &entropy), stay: StayID(at: now, using: &entropy), identity: identity,
            firstSeen: now, lastSeen: now, count: 5, rssi: SignalStrength(min: -80, max: -60), measuredPower: -59,
            proximity: .near, place: nil, ended: false)
    }

    private static func bike(_ minor: UInt16) -> BikeDraft {
        BikeDraft(kind: .bicycle, make: "A", model: "B", colours: [.red], identity: identity(minor))
    }

    /// Registers a bike, and claims its beacon with the operator's help.
    private func register(
        _ minor: UInt16, of owner: RegistryConnection, _ chief: RegistryConnection
    ) async throws -> Bike {
        let bike = try await owner.registerBike(Self.bike(minor))
        _ = try await chief.acceptClaim(ClaimAcceptance(identity: Self.identity(minor)), of: bike.id)
        return bike
    }

    private func enrol(_ chief: RegistryConnection, at registry: KillableRegistry) async throws -> String {
        let place = Place(latitude: 51.5, longitude: -0.12, accuracy: 10)
        let code = try await chief.invite(InvitationDraft(name: "Café", place: place)).code
        return try await registry.connect().enrol(code: code).token
    }

    private static func version(_ answer: RegistryConnection.MissingListAnswer) throws -> ListVersion {
        guard case .changed(let bytes) = answer else { throw ListCodingError.unknownFormat }
        return switch try ListMessage(bytes) {
        case .full(let list): list.version
        case .delta(let delta): delta.version
        }
    }

    @Test("what one registry takes, the other tells at once, and goes on when the first one is killed")
    func two() async throws {
        let chief = try await scene.newOperator()
        let (one, two) = (try await scene.start("one"), try await scene.start("two"))
        let (first, second) = (try one.connect(chief), try two.connect(chief))
        let token = try await one.connect().createOwner().token
        let (owner, ownerAtTwo) = (try one.connect(token), try two.connect(token))
        let bike = try await register(1, of: owner, first)
        let stationToken = try await enrol(second, at: two)
        let station = try two.connect(stationToken)

        // A station waits at the second registry, and the bike is marked missing at the first one.
        let before = try Self.version(try await station.missingList())
        async let waiting = station.missingList(after: before, wait: .seconds(600))
        let report = try await owner.openReport(on: bike.id, MissingReportDraft(policeReference: "1"))
        let after = try Self.version(try await waiting)
        #expect(after.number > before.number)

        // The owner follows the trail at the second registry, and a station reports to the first one.
        let (seen, told) = AsyncStream.makeStream(of: VisitID.self)
        let following = Task {
            defer { told.finish() }
            try await ownerAtTwo.followSightings(of: report.id, on: bike.id, after: nil) {
            } _: { sighting, _ in
                told.yield(sighting.id)
            }
        }
        let visit = Self.visit(of: Self.identity(1))
        let result = try await one.connect(stationToken).report(VisitBatch(visits: [visit]))
        #expect(result.results.count == 1)
        #expect(await seen.first { $0 == visit.id } != nil)
        following.cancel()
        _ = await following.result

        await one.kill()
        let other = try await register(2, of: ownerAtTwo, second)
        _ = try await ownerAtTwo.openReport(on: other.id, MissingReportDraft(policeReference: "2"))
        let last = try Self.version(try await station.missingList(after: after, wait: .seconds(600)))
        #expect(last.number > after.number)
        #expect(try await ownerAtTwo.sightings(of: report.id, on: bike.id).items.map(\.id) == [visit.id])
        // The killed registry starts again and has missed nothing.
        let again = try await scene.start("one")
        #expect(try Self.version(try await again.connect(stationToken).missingList()) == last)
        // A station whose list is newer than a registry's has nothing to fetch there.
        for minor in 3...5 as ClosedRange<UInt16> {
            let more = try await register(minor, of: try again.connect(token), try again.connect(chief))
            _ = try await again.connect(token).openReport(on: more.id, MissingReportDraft(policeReference: "3"))
            let newest = try Self.version(try await again.connect(stationToken).missingList())
            #expect(try await station.missingList(after: newest, wait: .seconds(1)) == .unchanged)
        }
        let audit = await FindMyBikeRegistry.run(["audit", "verify", "--config", try scene.settings("two")])
        #expect(audit.status == 0, "\(audit.errors)")
        for registry in [two, again] { #expect(await registry.stop().status == 0) }
    }

    @Test("an SQLite registry is moved with everything in it, once, and goes on")
    func migrated() async throws {
        let file = scene.folder.file("registry.sqlite")
        let settings = try scene.folder.write(
            "listen: 127.0.0.1:0\ndatabase: \(file)\nidentities:\n  given: open\n", to: "sqlite.yaml")
        let created = await FindMyBikeRegistry.run(["operator", "create", "--config", settings])
        let chief = created.output.trimmingCharacters(in: .newlines)
        let old = try await KillableRegistry(settings: settings)
        let token = try await old.connect().createOwner().token
        let bike = try await register(1, of: try old.connect(token), try old.connect(chief))
        let report = try await old.connect(token).openReport(on: bike.id, MissingReportDraft(policeReference: "1"))
        let station = try await enrol(try old.connect(chief), at: old)
        let list = try Self.version(try await old.connect(station).missingList())
        #expect(await old.stop().status == 0)

        let moved = await FindMyBikeRegistry.run(["migrate", "--from", file, "--to", scene.database, "--json"])
        #expect(moved.status == 0 && moved.output.contains("\"auditEntries\""), "\(moved.errors)")
        let again = await FindMyBikeRegistry.run(["migrate", "--from", file, "--to", scene.database])
        #expect(again.status == 73 && again.errors.contains("in use"), "\(again.errors)")
        let absent = await FindMyBikeRegistry.run(["migrate", "--from", file + ".none", "--to", scene.database])
        #expect(absent.status == 66 && absent.errors.contains("check the path"), "\(absent.errors)")
        let wrong = await FindMyBikeRegistry.run(["migrate", "--from", file, "--to", file])
        #expect(wrong.status == 64 && wrong.errors.contains("postgresql://"), "\(wrong.errors)")

        let new = try await scene.start("one")
        #expect(try await new.connect(token).bike(bike.id).id == bike.id)
        #expect(try Self.version(try await new.connect(station).missingList()) == list)
        let visit = Self.visit(of: Self.identity(1))
        _ = try await new.connect(station).report(VisitBatch(visits: [visit]))
        let sightings = try await new.connect(token).sightings(of: report.id, on: bike.id)
        #expect(sightings.items.map(\.id) == [visit.id])
        #expect(await new.stop().status == 0)
    }

    @Test("after a restore the journals end what the backup brings back; backups are PostgreSQL's")
    func restored() async throws {
        let registry = try await scene.start("one")
        let made = try await registry.connect().createOwner()
        let revoked = try await registry.connect(made.token).createToken(TokenDraft(name: "lost", scope: .read))
        #expect(await registry.stop().status == 0)
        let backup = try await PostgreSQLScene.cluster().copy(of: scene.database)
        let later = try await scene.start("one")
        try await later.connect(made.token).revokeToken(revoked.details.id)
        #expect(await later.stop().status == 0)
        // The last entries are written when the registry starts the next time, at the latest.
        let last = try await scene.start("one")
        #expect(await last.stop().status == 0)

        let place = ["--config", try scene.settings("restored"), "--database", backup]
        func run(_ arguments: [String]) async -> CommandRun { await FindMyBikeRegistry.run(arguments + place) }
        let repeated = await run(["after-restore", scene.folder.file("one"), "--json"])
        #expect(repeated.status == 0 && repeated.output.contains("\"revocations\":1"), "\(repeated)")
        let second = await run(["after-restore", scene.folder.file("one")])
        #expect(second.output.contains("Repeated erasures: 0; revocations: 0."), "\(second)")
        #expect(second.output.contains("If you have partners"), "\(second)")
        let absent = await run(["after-restore", scene.folder.file("none")])
        #expect(absent.status == 66 && absent.errors.contains("check the path"), "\(absent.errors)")
        for command in [["backup", scene.folder.file("b")], ["restore", scene.folder.file("b")]] {
            let refused = await run(command)
            #expect(refused.status == 64 && refused.errors.contains("docs/guide/cluster.md"), "\(refused.errors)")
        }
    }

    @Test("a database that must not be used is refused by the check and by the start, with a remedy")
    func refused() async throws {
        let cluster = try await PostgreSQLScene.cluster()
        let host = cluster.folder.path
        let refusals: [(database: String, more: String, status: Int32, remedy: String)] = [
            (scene.database, "", 71, "no synchronous standby"),
            ("postgresql://findmybike@/x?host=\(host)/none&port=1", "durability: single\n", 75, "cannot be reached"),
            (cluster.url("none"), "durability: single\n", 77, "CREATE DATABASE"),
            (scene.database + "&passfile=/nonexistent", "durability: single\n", 77, "mode 0600"),
            ("postgresql://findmybike:secret@127.0.0.1:1/x", "durability: single\n", 78, "passfile"),
            ("postgresql://findmybike@db/x", "durability: some\n", 78, "durability"),
            ("mysql://findmybike@db/x", "", 78, "postgresql://"),
        ]
        for refusal in refusals {
            let settings = try scene.folder.write(
                """
                listen: 127.0.0.1:0
                database: \(refusal.database)
                journal: \(scene.folder.file("refused"))
                \(refusal.more)
                """, to: "refused.yaml")
            for arguments in [["serve", "--config", settings, "--check-config"], ["serve", "--config", settings]] {
                let result = await FindMyBikeRegistry.run(arguments)
                #expect(
                    result.status == refusal.status && result.errors.contains(refusal.remedy),
                    "\(refusal): \(result.status) \(result.errors)")
                #expect(!result.errors.contains("secret"))
            }
        }
        let accepted = await FindMyBikeRegistry.run(["serve", "--check-config", "--config", try scene.settings("one")])
        #expect(accepted.status == 0 && accepted.output.contains("The first start makes its tables."), "\(accepted)")
    }
}
