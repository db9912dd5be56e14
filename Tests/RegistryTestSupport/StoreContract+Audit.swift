import Evidence
import Registry
import RegistryAPI
import Testing

extension StoreContract {
    static let audit = [
        StoreContract("the audit's chain verifies after everything that a registry does") { store in
            let stage = Stage(store)
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            _ = try await stage.close(report, of: owner)
            let end = try await store.auditEnd()
            let result = try await store.verifyAudit(nil, against: [])
            #expect(result.entries == end.length && result.length == end.length && result.end == end.hash)
            let entries = try await store.auditEntries(AuditFilter(), PageRequest(limit: 1000)).items
            #expect(entries.map(\.index) == (0..<end.length).map { $0 + 1 })
        },
        StoreContract("the evidence of a report is all that is known of it, at one moment") { store in
            let stage = Stage(store)
            let (owner, report, station) = try await stage.missingBike()
            let other = try await stage.station("other")
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: other)
            let evidence = try await store.evidence(of: report.id, on: report.bike, owner: owner, limit: 10)
            #expect(evidence.bike == (try await store.bike(report.bike, of: owner)))
            #expect(evidence.report == (try await store.report(report.id, on: report.bike, of: owner)))
            #expect(evidence.sightings == (try await stage.sightings(of: report, by: owner)))
            #expect(evidence.allSightings == 2)
            #expect(Set(evidence.stations.map(\.id)) == [station, other])
            #expect(evidence.stations.allSatisfy { $0.places.last?.place == Samples.place })
            let proved = try evidence.proof.verified(endingAt: evidence.auditLength, evidence.auditEnd)
            #expect(evidence.audit.allSatisfy { proved[$0.index]?.commitment.description == $0.commitment })
            #expect(evidence.audit.allSatisfy { $0.event?.report == report.id })
            let actions = evidence.audit.compactMap(\.event?.action)
            #expect(actions == ["report.opened", "sighting.stored", "sighting.stored"])
        },
        StoreContract("evidence tells where a station stood before it was moved") { store in
            let stage = Stage(store)
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            stage.clock.advance(by: .seconds(3600))
            let place = Place(latitude: 48.1, longitude: 11.5)
            _ = try await store.changeStation(
                station, StationPatch(place: place), version: nil, by: .operator(stage.newID()), at: stage.now
            )
            let evidence = try await store.evidence(of: report.id, on: report.bike, owner: owner, limit: 10)
            #expect(evidence.stations.first?.places.map(\.place) == [Samples.place, place])
            #expect(evidence.stations.first?.places.last?.since == stage.now)
        },
        StoreContract("evidence has a limit, keeps the newest and tells how much there is") { store in
            let stage = Stage(store)
            let (owner, report, station) = try await stage.missingBike()
            for number in 1...5 as ClosedRange<UInt64> {
                _ = try await stage.record(Samples.visit(number, from: stage.now), by: station)
            }
            let evidence = try await store.evidence(of: report.id, on: report.bike, owner: owner, limit: 2)
            #expect(evidence.sightings.map(\.id.low) == [4, 5])
            #expect(evidence.allSightings == 5)
            #expect(evidence.audit.count <= 2)
        },
        StoreContract("another owner gets no evidence") { store in
            let stage = Stage(store)
            let (_, report, _) = try await stage.missingBike()
            let other = try await stage.owner()
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.evidence(of: report.id, on: report.bike, owner: other, limit: 10)
            }
        },
    ]
}
