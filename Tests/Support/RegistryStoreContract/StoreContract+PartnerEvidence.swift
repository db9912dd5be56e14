import Evidence
import Foundation
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let partnerEvidence = [
        StoreContract("what a partner signed of a sighting goes into the audit and into the evidence") { store, stage in
            let partner = try await stage.partner()
            let (owner, report, own) = try await stage.missingBike()
            let station = try await stage.foreignStations(1, of: partner)[0]
            let first = Samples.visit(from: stage.now)
            try await stage.hear(first, at: station, of: partner, signed: "a")
            _ = try await stage.record(Samples.visit(9, from: stage.now), by: own)
            var content = try await stage.evidence(of: report, by: owner)
            #expect(content.partners.statements.map(\.signature) == ["a"])
            #expect(content.partners.statements.map(\.station) == [station])
            #expect(content.partners.keys.map(\.publicKey) == partner.publicKeys)
            #expect(content.partners.keys.map(\.partner) == [partner.id])
            func details(_ number: Int) -> [String: String] {
                content.audit.first { $0.index == content.records[number].entry }?.event?.details ?? [:]
            }
            let fingerprint = try #require(stage.fingerprint(of: partner))
            #expect(details(0)["signature"] == "a" && details(0)["key"] == "\(fingerprint)")
            #expect(details(1)["signature"] == nil, "an own station")
            let pinning = content.audit.first { $0.index == content.partners.keys.first?.entry }?.event
            #expect(pinning?.action == "partner.joined" && pinning?.details["keys"] == "\(fingerprint)")

            // The visit lasts longer; then an earlier report arrives late, and one that says less than was known.
            var later = first
            later.lastSeen = stage.now.advanced(by: .seconds(300))
            later.count += 5
            stage.clock.advance(by: .seconds(300))
            try await stage.hear(later, at: station, of: partner, signed: "b")
            try await stage.hear(first, at: station, of: partner, signed: "late")
            content = try await stage.evidence(of: report, by: owner)
            #expect(content.partners.statements.map(\.signature) == ["b"] && details(0)["signature"] == "b")
            var less = first
            less.ended = true
            try await stage.hear(less, at: station, of: partner, signed: "less")
            content = try await stage.evidence(of: report, by: owner)
            #expect(content.partners.statements.map(\.signature) == ["b"] && details(0)["signature"] == "b")
            #expect(content.records[0].record["ended"] == "true")
            later.ended = true
            later.count += 1
            try await stage.hear(later, at: station, of: partner, signed: "end")
            content = try await stage.evidence(of: report, by: owner)
            #expect(content.partners.statements.map(\.signature) == ["end"] && details(0)["signature"] == "end")
        },
        StoreContract("a further key of a partner has an entry of its own, and evidence outlives the partnership") {
            store, stage in
            let partner = try await stage.partner()
            let (owner, report, _) = try await stage.missingBike()
            let new = try #require(PublicKey(bytes: Array(repeating: 8, count: 32)))
            for _ in 1...2 {
                _ = try await store.changePartner(
                    partner.id, PartnerPatch(publicKey: new.pem), quarantineSince: nil, by: stage.operatorOfPartners,
                    at: stage.now)
            }
            let station = try await stage.foreignStations(1, of: partner)[0]
            try await stage.hear(
                Samples.visit(from: stage.now), at: station, of: partner, signed: "a", by: new.fingerprint)
            try await stage.remove(partner.id)
            let content = try await stage.evidence(of: report, by: owner)
            let key = try #require(content.partners.keys.first)
            #expect(content.partners.keys.count == 1 && key.publicKey == new.pem && key.name == "Zürich")
            let pinning = content.audit.first { $0.index == key.entry }?.event
            #expect(pinning?.action == "partner.changed" && pinning?.details["key"] == "\(new.fingerprint)")
            // The same registry becomes a partner again, with the same keys.
            let second = try await stage.partnerInvitation(code: "second")
            try await stage.join("second", token: "second")
            _ = try await store.changePartner(
                second.id, PartnerPatch(publicKey: new.pem), quarantineSince: nil, by: stage.operatorOfPartners,
                at: stage.now)
            let again = try await store.activePartner(second.id)
            let other = try await stage.foreignStations(1, of: again)[0]
            try await stage.hear(
                Samples.visit(2, from: stage.now), at: other, of: again, signed: "b", by: new.fingerprint)
            let both = try await stage.evidence(of: report, by: owner).partners
            #expect(both.statements.map(\.signature) == ["a", "b"])
            #expect(both.keys.map(\.partner) == [partner.id, again.id])
            // They end with the sightings.
            _ = try await stage.close(report, of: owner)
            stage.clock.advance(by: MissingReport.retention + .seconds(1))
            #expect(try await store.deleteOldSightings(limit: 9, at: stage.now) == 1)
            let after = try await stage.evidence(of: report, by: owner)
            #expect(after.partners.statements.isEmpty && after.partners.keys.isEmpty)
            #expect(!after.audit.contains { $0.event?.details["signature"] != nil })
        },
        StoreContract("partners get the numbers of bikes that they may search for, and that buyers can check") {
            store, stage in
            let owner = try await stage.owner()
            func shared() async throws -> [String] {
                try await store.sharedNumbers(limit: 10).numbers.map(\.text)
            }
            let bike = try await stage.numbered("WTU 123", vin: "WTU 124", of: owner)
            let hidden = try await stage.numbered("WTU 125", 2, of: owner, allows: nil)
            #expect(try await shared() == [])
            let report = try await stage.openReport(on: bike.id, of: owner)
            _ = try await stage.openReport(on: hidden.id, of: owner)
            #expect(try await Set(shared()) == ["WTU123", "WTU124"])
            #expect(try await store.sharedNumbers(limit: 1).numbers.count == 1)
            var patch = MissingReportPatch()
            try patch.set("onlyHere", true)
            _ = try await store.changeReport(report.id, on: report.bike, patch, by: stage.act(of: owner))
            #expect(try await shared() == [])
            try patch.set("onlyHere", false)
            _ = try await store.changeReport(report.id, on: report.bike, patch, by: stage.act(of: owner))
            _ = try await stage.allow(nil, on: bike, by: owner)
            #expect(try await shared() == [])
            // Each partner has a factor of its own.
            let key = try await store.numberKey()
            let number = try BikeNumber(typed: "WTU 123")
            let points = [1, 2].map { key.hiding(from: PartnerID(high: 1, low: $0)).hide(number)?.exact }
            #expect(points[0] != nil && points[0] != points[1])
        },
    ]
}

extension Stage {
    fileprivate func fingerprint(of partner: ActivePartner) -> HashValue? {
        partner.publicKeys.first.flatMap { PublicKey(pem: $0) }?.fingerprint
    }

    /// Records a visit that a partner has signed.
    fileprivate func hear(
        _ visit: Visit, at station: StationID, of partner: ActivePartner, signed signature: String,
        by key: HashValue? = nil
    ) async throws {
        let key = try #require(key ?? fingerprint(of: partner))
        let forwarded = ForwardedVisit(
            to: "\(key)", received: now,
            station: ForwardingStation(
                id: StationID(high: 77, low: 0), name: "Bistro 0", mobile: false, place: Samples.place), visit: visit)
        let text = SignedVisit.title + "\n" + String(decoding: try JSONEncoder().encode(forwarded), as: UTF8.self)
        var request = RecordRequest([visit], by: station, at: now, using: entropy)
        request.signed = [
            SignedReport(SignedVisit(statement: text, signature: signature), key: "\(key)", visit: visit)
        ]
        _ = try await store.record(request)
    }

    fileprivate func evidence(of report: MissingReport, by owner: OwnerID) async throws -> EvidenceContent {
        let path = ReportPath(report, of: owner)
        try await store.recordGrowth(of: path, limit: 9, at: now)
        return try await store.evidence(of: path, limit: 100, at: now)
    }
}
