import Beacons
import Evidence
import FoundationEssentials
import HTTPTypes
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistryTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Operations
@testable import RegistryHTTP

@Suite("Evidence and choices with partner registries")
struct PartnerEvidenceTests {
    @Test("a venue learns for whom it listens, and can say no to partners")
    func venues() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        let station = try await pair.guest.newStation()
        func beat(_ partners: String) async throws -> Answer {
            try await pair.guest.call(
                .put, "/v1/station/heartbeat", token: station.token,
                body: #"{"version":"1.0","adapters":[]\#(partners)}"#)
        }
        try await pair.readList()
        #expect(try await beat("").value(CoverageReceipt.self).partners == ["Home"])
        try pair.guestExchange.note([], of: 1, isSlow: true)
        // What waits is forgotten, and what comes later is not forwarded; its own registry gets it.
        let visit = Samples.visit(from: pair.guest.clock.now)
        #expect(try await pair.guest.report([visit], as: station.token).map(\.result) == [.ignored])
        #expect(try await pair.homeAtGuest().sent.waiting == 1)
        #expect(try await beat(#","partners":false"#).value(CoverageReceipt.self).partners == ["Home"])
        #expect(try await pair.homeAtGuest().sent.waiting == 0)
        let batch = VisitBatch(visits: [visit], partners: false)
        let answer = try await pair.guest.post("/v1/sightings", token: station.token, batch)
        #expect(try answer.value(VisitBatchResult.self).results.map(\.result) == [.ignored])
        #expect(try await pair.send() == .nothing)
        #expect(try await pair.home.sightings(of: report, by: owner).isEmpty)
        // It can change its mind.
        #expect(try await pair.guest.report([visit], as: station.token).map(\.result) == [.ignored])
        #expect(try await pair.send() == .sent)
        #expect(try await pair.home.sightings(of: report, by: owner).count == 1)
        // Without partners, there is nothing to say.
        let partner = try #require(try await pair.guest.store.activePartners().first)
        try await pair.guest.operations.removePartner(partner.id, quarantineSince: nil, by: Pair.anOperator)
        #expect(try await beat("").status == 204)
    }

    @Test("people learn how many stations partners have, by their own account, within bounds and for days")
    func counts() async throws {
        let pair = try await Pair()
        let owner = try await pair.guest.newOwner()
        let bike = try await pair.guest.newBike(of: owner)
        let report = try await pair.guest.newReport(on: bike.id, of: owner)
        let path = "/v1/bikes/\(bike.id)/reports/\(report.id)"
        func partners() async throws -> Int? {
            try await pair.guest.call(.get, path + "/stations", token: owner).value(ListeningStations.self).partners
        }
        #expect(try await partners() == nil)
        let station = try await pair.home.newStation()
        _ = try await pair.home.call(
            .put, "/v1/station/heartbeat", token: station.token,
            body: #"{"version":"1.0.0","adapters":[{"name":"hci0","state":"scanning","silentSeconds":1}]}"#)
        try await pair.readCounts()
        #expect(try await partners() == 1)
        // Only this registry's stations search.
        _ = try await pair.guest.call(.patch, path, token: owner, body: #"{"onlyHere":true}"#)
        #expect(try await partners() == nil)
        _ = try await pair.guest.call(.patch, path, token: owner, body: #"{"onlyHere":false}"#)
        // A hostile partner exaggerates, and tells of its partners.
        let areas = [(1e300, 7), (51.5, 4), (51.5, 200_000), (51.55, 5)].map {
            StationAreas.Area(latitude: $0, longitude: -0.15, stations: $1)
        }
        let lies = StationAreas(
            listening: .max, areas: areas + Array(repeating: areas[3], count: StationAreas.most + 100))
        pair.network.description.withLock {
            $0 = RegistryDescription(
                operator: nil, stations: lies, partners: [PartnerAreas(registry: "x", stations: lies)])
        }
        try await pair.readCounts()
        #expect(try await partners() == StationAreas.mostStations)
        let about: RegistryDescription = try await pair.guest.call(.get, "/v1/about").value()
        #expect(about.stations.listening == 0 && about.partners?.map(\.registry) == ["Home"])
        let shown = try #require(about.partners?.first?.stations.areas)
        #expect(shown == Array(repeating: areas[3], count: StationAreas.most))
        pair.guest.clock.advance(by: .seconds(3 * 86_400 + 1))
        #expect(try await partners() == nil)
    }

    @Test("the owner's evidence has the partner's signature, and a registry makes none without it")
    func evidence() async throws {
        let pair = try await Pair()
        let (owner, report) = try await pair.missingBike()
        try await pair.readList()
        let station = try await pair.guest.newStation()
        var visit = Samples.visit(from: pair.guest.clock.now)
        for count in [1, 2] as [Int64] {
            try pair.guestExchange.note([], of: 1, isSlow: true)
            visit.count += count
            visit.lastSeen = visit.lastSeen.advanced(by: .milliseconds(count))
            _ = try await pair.guest.report([visit], as: station.token)
            #expect(try await pair.send() == .sent)
        }
        let path = "/v1/bikes/\(report.bike)/reports/\(report.id)/evidence"
        let answer = try await pair.home.call(.get, path, token: owner)
        let pinned = HashValue(pair.homeKeyring.current.fingerprint)
        let guestKey = try #require(HashValue(pair.guestKeyring.current.fingerprint))
        let pack = try EvidenceVerification([UInt8](answer.body), pinned: pinned, partners: [guestKey])
        let signer = try #require(pack.partners.signers.first)
        #expect(signer.name == "Guest" && signer.fingerprint == guestKey && signer.isTrusted)
        #expect(signer.sightings == 1 && signer.partial == 0 && pack.partners.unsigned == 0)
        // Removed or exchanged in the database, it is missed.
        for sql in [
            "UPDATE partner_statement SET signature = 'ab'", "DELETE FROM partner_statement",
        ] {
            try await pair.home.store.write { try $0.run(sql, []) }
            #expect(try await pair.home.call(.get, path, token: owner).status >= 500)
            await #expect(throws: ChainWalk.Fault.changedSighting(visit.id)) {
                _ = try await pair.home.store.verifyAudit(nil, against: [])
            }
        }
    }
}
