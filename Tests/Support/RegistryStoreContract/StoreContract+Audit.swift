import Beacons
import Evidence
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let audit = [
        StoreContract("the audit's chain can be verified after everything that a registry does") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            _ = try await stage.close(report, of: owner)
            let end = try await store.auditEnd()
            let result = try await store.verifyAudit(nil, against: [])
            #expect(result.entries == end.length && result.length == end.length && result.end == end.hash)
            let entries = try await store.auditEntries(AuditFilter(), PageRequest(limit: 1000)).items
            #expect(entries.map(\.index) == (0..<end.length).map { $0 + 1 })
        },
        StoreContract("a report's evidence is everything known about it at one moment") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let other = try await stage.station("other")
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: other)
            let evidence = try await store.evidence(of: ReportPath(report, of: owner), limit: 10, at: stage.now)
            #expect(evidence.bike == (try await store.bike(report.bike, of: owner)))
            #expect(evidence.report == (try await store.report(ReportPath(report, of: owner))))
            #expect(evidence.sightings == (try await stage.sightings(of: report, by: owner)))
            #expect(evidence.allSightings == 2)
            #expect(Set(evidence.stations.map(\.id)) == [station, other])
            #expect(evidence.stations.allSatisfy { $0.places.last?.place == Samples.place })
            let proved = try evidence.proof.verified(endingAt: evidence.auditLength, evidence.auditEnd)
            #expect(evidence.audit.allSatisfy { proved[$0.index]?.commitment.description == $0.commitment })
            let ofReport = evidence.audit.filter { $0.event?.report != nil }
            #expect(ofReport.allSatisfy { $0.event?.report == report.id })
            #expect(ofReport.compactMap(\.event?.action) == ["report.opened", "sighting.stored", "sighting.stored"])
            let surveyed = evidence.audit.compactMap(\.event?.surveyedPlace)
            #expect(Set(surveyed.map(\.station)) == [station, other])
            #expect(surveyed.allSatisfy { $0.place == Samples.place })
            #expect(evidence.records.count == 2)
            for (record, sighting) in zip(evidence.records, evidence.sightings) {
                let entry = try #require(evidence.audit.first { $0.index == record.entry })
                #expect(record.isCommitted(by: entry) && record.agrees(with: sighting))
            }
        },
        StoreContract("a sighting's growth is recorded hourly, its end and everything else at once") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let visit = GrowingVisit(stage: stage, owner: owner, report: report, station: station, start: stage.now)
            try await visit.hear(minutes: 5)
            #expect(try await visit.recorded() == ["sighting.stored"])
            stage.clock.advance(by: .seconds(300))
            try await visit.hear(minutes: 10) { $0.rssi = SignalStrength(min: -90, max: -50) }
            try await visit.hear(minutes: 15) { $0.proximity = .immediate }
            #expect(try await store.recordGrowth(limit: 9, at: stage.now) == 0)
            #expect(try await visit.recorded() == ["sighting.stored", "growing"])
            stage.clock.advance(by: SightingRules.unrecorded)
            #expect(try await store.recordGrowth(limit: 9, at: stage.now) == 1)
            #expect(try await store.recordGrowth(limit: 9, at: stage.now) == 0)
            var expected = ["sighting.stored", "sighting.changed"]
            #expect(try await visit.recorded() == expected)
            try await visit.hear(minutes: 20)
            try await store.recordGrowth(
                of: ReportPath(report, of: owner), limit: 9, at: stage.now)
            expected.append("sighting.changed")
            #expect(try await visit.recorded() == expected)
            try await visit.hear(minutes: 25) { $0.confirmation = VisitConfirmation(answer: .seen, time: stage.now) }
            expected.append("sighting.changed")
            #expect(try await visit.recorded() == expected)
            try await visit.hear(minutes: 30)
            try await visit.hear(minutes: 35) { $0.ended = true }
            expected.append("sighting.changed")
            #expect(try await visit.recorded() == expected)
            try await visit.hear(minutes: 35) { $0.ended = true }
            #expect(try await visit.recorded() == expected)
        },
        StoreContract("the audit forgets sightings when they are deleted, and its chain still verifies") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let other = try await stage.bike(of: owner, Samples.identity(2))
            let open = try await stage.openReport(on: other.id, of: owner)
            for minutes in [1, 5] {
                _ = try await stage.record(
                    Samples.visit(1, from: stage.now, lasting: .seconds(60 * minutes)), by: station)
            }
            _ = try await stage.record(Samples.visit(2, of: Samples.identity(2), from: stage.now), by: station)
            stage.clock.advance(by: SightingRules.unrecorded)
            #expect(try await store.recordGrowth(limit: 9, at: stage.now) == 1)
            _ = try await stage.close(report, of: owner)
            stage.clock.advance(by: MissingReport.retention)
            #expect(try await store.deleteOldSightings(limit: 9, at: stage.now) == 1)
            let entries = try await store.auditEntries(AuditFilter(), PageRequest(limit: 100)).items
            let sightings = entries.filter { $0.event?.action.hasPrefix("sighting.") == true }
            #expect(sightings.map(\.event?.report) == [open.id])
            #expect(entries.filter { $0.erasedBy == entries.last?.index }.count == 2)
            #expect(entries.suffix(2).map(\.event?.action) == ["sightings.deleted", "entries.erased"])
            #expect(entries.last?.event?.details["cause"] == "retention")
            #expect(entries.contains { $0.event?.action == "report.closed" && $0.event?.report == report.id })
            #expect(try await store.verifyAudit(nil, against: []).contents?.sightings == 1)
        },
        StoreContract("evidence includes a station's place before it was moved") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            stage.clock.advance(by: .seconds(3600))
            let place = Place(latitude: 48.1, longitude: 11.5)
            _ = try await store.changeStation(
                station, StationPatch(place: place), version: nil, by: .operator(stage.newID()), at: stage.now
            )
            let evidence = try await store.evidence(of: ReportPath(report, of: owner), limit: 10, at: stage.now)
            #expect(evidence.stations.first?.places.map(\.place) == [Samples.place, place])
            #expect(evidence.stations.first?.places.last?.since == stage.now)
        },
        StoreContract("evidence is limited to the newest sightings, and states their total") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            for number in 1...5 as ClosedRange<UInt64> {
                _ = try await stage.record(Samples.visit(number, from: stage.now), by: station)
            }
            let evidence = try await store.evidence(of: ReportPath(report, of: owner), limit: 2, at: stage.now)
            #expect(evidence.sightings.map(\.id.low) == [4, 5])
            #expect(evidence.allSightings == 5)
            // The third entry is the one with the station's place.
            #expect(evidence.audit.count == 3 && evidence.records.count == 2)
        },
        StoreContract("another owner cannot get the evidence") { store, stage in
            let (_, report, _) = try await stage.missingBike()
            let other = try await stage.owner()
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.evidence(of: ReportPath(report, of: other), limit: 10, at: stage.now)
            }
        },
    ]
}

/// A visit in progress, and the audit's records of it.
private struct GrowingVisit {
    let stage: Stage
    let owner: OwnerID
    let report: MissingReport
    let station: StationID
    let start: Timestamp

    func hear(minutes: Int, _ change: (inout Visit) -> Void = { _ in }) async throws {
        var visit = Samples.visit(from: start, lasting: .seconds(60 * minutes))
        visit.count = Int64(minutes)
        change(&visit)
        _ = try await stage.record(visit, by: station)
    }

    /// The actions of the sighting's entries, followed by "growing" if the visit has grown since its last record.
    func recorded() async throws -> [String] {
        let filter = AuditFilter(owner: owner, report: report.id)
        let entries = try await stage.store.auditEntries(filter, PageRequest(limit: 100)).items
        let verified = try await stage.store.verifyAudit(nil, against: []).contents
        #expect(verified?.sightings == 1)
        return entries.compactMap(\.event?.action).filter { $0.hasPrefix("sighting.") }
            + (verified?.growing == 1 ? ["growing"] : [])
    }
}
