import Foundation
import RegistryAPI
import TestSupport
import Testing

@testable import findmybike

/// Three registries in processes of their own that become partners by their operators' commands.
@Suite("Registries that are partners", .timeLimit(.minutes(10)))
struct PartnerTests {
    /// A registry with its operator.
    private struct City {
        let folder: TemporaryFolder
        /// Partners call each other at an address that is known before the registry starts.
        let port: ReservedPort
        let registry: StartedRegistry
        let chief: Person

        init() async throws {
            folder = try TemporaryFolder()
            let database = folder.file("registry.sqlite")
            let key = folder.file("evidence.key")
            let made = try await BuiltProgram("findmybike-registry").run(["key", "create", "--key-file", key])
            try #require(made.status == 0, "\(made.errors)")
            let created = try await BuiltProgram("findmybike-registry").run([
                "operator", "create", "--database", database,
            ])
            port = try ReservedPort()
            let settings = """
                listen: 127.0.0.1:\(port.number)
                publicURL: http://127.0.0.1:\(port.number)
                database: \(database)
                identities:
                  given: open
                evidence:
                  keyFile: \(key)

                """
            registry = try await StartedRegistry(
                in: folder, settings: try folder.write(settings, to: "registry.yaml"))
            chief = registry.person("operator")
            _ = try await chief.output("login", registry.url, input: created.output)
        }

        func fingerprint() async throws -> String {
            let run = try await BuiltProgram("findmybike-registry").run([
                "key", "show", "--key-file", folder.file("evidence.key"),
            ])
            return try #require(run.output.firstMatch(of: /[0-9a-f]{64}/)).output.description
        }

        func invite(_ name: String) async throws -> PartnerInvitation {
            try await chief.value("partner", "invite", name)
        }

        /// Becomes a partner of another city.
        func join(_ other: City, _ name: String, as own: String) async throws {
            let invitation = try await other.invite(own)
            let accepted = try await chief.output(
                "partner", "accept", other.registry.url, invitation.code, "--name", name)
            #expect(accepted.contains("\(name) is a partner"))
        }

        /// The partner, once it satisfies a condition.
        func partner(_ name: String, when isReady: (Partner) -> Bool) async throws -> Partner {
            var partner: Partner = try await chief.value("partner", "show", name)
            try await eventually("\(name) is ready") {
                partner = try await chief.value("partner", "show", name)
                return isReady(partner)
            }
            return partner
        }
    }

    private static let identity = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"

    @Test("a bike stolen in one city is heard in another, and its own registry tells the owner")
    func story() async throws {
        let (berlin, zurich, lyon) = (try await City(), try await City(), try await City())
        try await zurich.join(berlin, "Berlin", as: "Zürich")
        try await lyon.join(zurich, "Zürich", as: "Lyon")

        let owner = berlin.registry.person("owner")
        _ = try await owner.output("login", berlin.registry.url, "--new")
        let bike: Bike = try await owner.value(
            "bike", "register", "--kind", "bicycle", "--make", "Brompton", "--model", "C Line", "--colour", "green",
            "--identity", Self.identity)
        _ = try await berlin.chief.output("claim", "accept", "\(bike.id)", Self.identity)
        let since = Date(timeIntervalSinceNow: -2 * 86_400).ISO8601Format()
        _ = try await owner.output("bike", "missing", "--since", since)
        #expect(try await zurich.partner("Berlin") { $0.list?.entries == 1 }.list?.entries == 1)
        // A partner's list is not passed on.
        #expect(try await lyon.partner("Zürich") { $0.list?.checked != nil }.list?.entries == 0)

        let invitation: Invitation = try await zurich.chief.value(
            "station", "invite", "--name", "Bahnhofbuffet", "--latitude", "47.378", "--longitude", "8.54")
        let token = zurich.folder.file("station-token")
        let settings = try zurich.folder.write(
            "station:\n  tokenFile: \(token)\nstate: \(zurich.folder.path)\n", to: "monitor.yaml")
        let enrolled = try await BuiltProgram("findmybike-monitor").run([
            "enrol", zurich.registry.url, invitation.code, "--config", settings,
        ])
        try #require(enrolled.status == 0, "\(enrolled.errors)")
        let monitor = try await BuiltProgram("findmybike-monitor").run(
            [
                "--config", settings, "--simulate", Repository.path("config/scenarios/bike-passes-cafe.yaml"),
                "--speed", "max",
            ], environment: ["HOME": zurich.folder.path, "FINDMYBIKE_STATUS_SOCKET": zurich.folder.file("status.sock")])
        #expect(monitor.status == 0, "\(monitor.errors)")
        let partner = try await zurich.partner("Berlin") { $0.sent.waiting == 0 && $0.sent.stored > 0 }
        #expect(partner.sent.stored > 0 && partner.sent.waiting == 0 && partner.sent.refused == 0)
        #expect(try await owner.output("sightings").contains("Bahnhofbuffet (via Zürich)"))
        // The guest's own operator sees no sighting, and the third registry nothing.
        #expect(try await berlin.chief.output("partner", "list").contains("Zürich"))
        let audit = try await berlin.chief.output("audit", "list")
        #expect(audit.contains("partner.joined"))

        // Both registries' keys are checked.
        let pack = berlin.folder.file("evidence.zip")
        _ = try await owner.output("evidence", "download", "--output", pack)
        let keys = [try await berlin.fingerprint(), try await zurich.fingerprint()]
        func verify(_ options: String...) async -> CommandRun {
            await FindMyBike.run(["evidence", "verify", pack, "--key", keys[0]] + options)
        }
        let verified = await verify("--partner-key", keys[1])
        #expect(verified.status == 0 && verified.output.contains("Zürich signed"), "\(verified.output)")
        #expect(verified.output.contains(keys[1]) && verified.output.contains("which is the one that you gave"))
        #expect(await verify().output.contains("repeat with --partner-key"))
        let foreign = await verify("--partner-key", keys[0])
        #expect(foreign.status == 65 && foreign.errors.contains("other than the given ones"), "\(foreign.errors)")

        // New tokens, without ending the partnership.
        let renewal: PartnerInvitation = try await berlin.chief.value("partner", "renew", "Zürich")
        let waiting = "active, without a token: the code for a new one works until"
        #expect(try await berlin.chief.output("partner", "list").contains(waiting))
        let renewed = try await zurich.chief.output(
            "partner", "accept", berlin.registry.url, renewal.code, "--name", "Berlin")
        #expect(renewed.contains("Berlin is a partner"))
        let shown = try await berlin.chief.output("partner", "show", "Zürich")
        #expect(!shown.contains("without a token"))
        #expect(try await berlin.partner("Zürich") { $0.list?.failure == nil }.list?.failure == nil)

        // Removed, the partner hears for the owner no more.
        _ = try await zurich.chief.output("partner", "remove", "Berlin", "--yes")
        #expect(try await berlin.partner("Zürich") { $0.list?.failure != nil }.list?.failure != nil)
        for city in [berlin, zurich, lyon] {
            let log = await city.registry.stop()
            #expect(!log.contains("fmb_partner_") && !log.contains(invitation.code))
        }
    }
}
