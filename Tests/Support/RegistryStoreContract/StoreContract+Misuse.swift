import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// New beacons, verified owners and signs of misuse.
    static let misuse = [
        StoreContract("a new beacon is searched for one day, until an operator confirms the reference") {
            store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            stage.clock.advance(by: .days(6))
            let report = try await stage.newReport(on: bike.id, of: owner)
            #expect(report.newBeacon == true && report.sightingsUntil == stage.now.advanced(by: .days(1)))
            // The owner is not told that the search ends soon when it has just begun.
            let announce = { try await store.announceSearchEnds(limit: 9, at: stage.now, using: stage.entropy) }
            #expect(try await announce() == 0)
            // Any text as a reference, or another report, gives no more than that day.
            stage.clock.advance(by: .seconds(43_200))
            #expect(try await announce() == 1)
            let patch = MissingReportPatch(["policeReference": "x"])
            let changed = try await store.changeReport(report.id, on: bike.id, patch, by: stage.act(of: owner))
            #expect(changed.sightingsUntil == stage.now.advanced(by: .seconds(43_200)))
            _ = try await stage.close(changed, of: owner)
            let second = try await stage.newReport(on: bike.id, of: owner, "y")
            #expect(second.sightingsUntil == stage.now.advanced(by: .seconds(43_200)))
            stage.clock.advance(by: .seconds(43_200))
            #expect(try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy) == 1)
            try await stage.deliver()
            let confirmed = try await store.confirmReference("y", of: second.id, by: stage.operatorAct)
            #expect(confirmed.sightingsUntil == nil)
            #expect(try await store.missingList().identities == [bike.identity])
        },
        StoreContract("a beacon is new for a week, whoever has it") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            stage.clock.advance(by: .days(7))
            let report = try await stage.newReport(on: bike.id, of: owner)
            #expect(report.newBeacon == nil)
            #expect(report.sightingsUntil == stage.now.advanced(by: MissingReport.sightingsWithoutReference))
        },
        StoreContract("a verified owner's beacon is never new, and open searches get their days") { store, stage in
            let owner = try await stage.owner()
            let first = try await stage.bike(of: owner, Samples.identity(1))
            let report = try await stage.newReport(on: first.id, of: owner)
            stage.clock.advance(by: .days(2))
            _ = try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy)
            #expect(try await store.missingList().identities == [])
            let review = try await store.verifyOwner(owner, by: stage.operatorAct)
            #expect(review.owner.verified == stage.now)
            #expect(try await store.owner(owner)?.verified == stage.now)
            #expect(try await store.missingList().identities == [Samples.identity(1)])
            let renewed = try await store.report(ReportPath(report.id, on: first.id, of: owner))
            #expect(renewed?.newBeacon == nil)
            #expect(renewed?.sightingsUntil == stage.now.advanced(by: .days(6)))
            #expect(try await store.verifyOwner(owner, by: stage.operatorAct).owner == review.owner)
            let second = try await stage.bike(of: owner, Samples.identity(2))
            #expect(try await stage.newReport(on: second.id, of: owner).newBeacon == nil)
            _ = try await store.unverifyOwner(owner, by: stage.operatorAct)
            #expect(try await store.missingList().identities.count == 2)
            let third = try await stage.bike(of: owner, Samples.identity(3))
            #expect(try await stage.newReport(on: third.id, of: owner).newBeacon == true)
            let actions = try await stage.actions()
            #expect(actions.filter { $0 == "owner.verified" || $0 == "owner.unverified" }.count == 2)
        },
        StoreContract("operators see searches with new beacons, repeated reports and nights at one station") {
            store, stage in
            let owner = try await stage.owner()
            let quiet = try await stage.bike(of: owner, Samples.identity(3))
            _ = try await stage.openReport(on: quiet.id, of: owner)
            let new = try await stage.bike(of: owner, Samples.identity(1))
            let report = try await stage.newReport(on: new.id, of: owner)
            // One report of three bikes each: beacons can be exchanged between an owner's bikes.
            let other = try await stage.owner()
            for number in [4, 5] as [UInt16] {
                let bike = try await stage.bike(of: other, Samples.identity(number))
                _ = try await stage.close(try await stage.openReport(on: bike.id, of: other), of: other)
            }
            let last = try await stage.bike(of: other, Samples.identity(6))
            let third = try await stage.openReport(on: last.id, of: other)
            #expect(try await store.noteSigns(limit: 9, at: stage.now) == 0)
            let listed = try await store.searchesToCheck(PageRequest(limit: 9)).items
            let found = Dictionary(uniqueKeysWithValues: listed.map { ($0.report.id, $0) })
            #expect(found.keys.sorted() == [report.id, third.id].sorted())
            #expect(found[report.id]?.owner == owner && found[third.id]?.owner == other)
            #expect(found[report.id]?.signs == [.newBeacon] && found[report.id]?.reports == 2)
            #expect(found[third.id]?.signs == [.reportedAgain] && found[third.id]?.reports == 3)
            // Who has been looked at is not listed; nor is a search that has ended.
            _ = try await store.confirmReference("CRIME-7", of: third.id, by: stage.operatorAct)
            stage.clock.advance(by: .days(1))
            _ = try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy)
            #expect(try await store.noteSigns(limit: 9, at: stage.now) == 3)
            #expect(try await store.searchesToCheck(PageRequest(limit: 9)).items.isEmpty)
        },
        StoreContract("a missing bike of the original app gets no days from an older beacon") { store, stage in
            var entropy = stage.entropy
            var change = AppBikeChange(
                draft: AppBikeDraft(make: "Vespa", model: "Primavera", beaconMinor: 100, missing: false),
                secret: SecretDigest(of: "secret"), owner: stage.newID(), bike: stage.newID(), report: stage.newID(),
                channel: stage.newID(), signing: SigningSecret(using: &entropy), time: stage.now,
                newFor: .days(7))
            try await store.registerAppBike(change)
            stage.clock.advance(by: .days(8))
            change.time = stage.now
            change.draft.missing = true
            try await store.updateAppBike(change)
            (change.report, change.draft.beaconMinor) = (stage.newID(), 101)
            try await store.updateAppBike(change)
            let reports = try await store.reports(on: change.bike, of: change.owner, PageRequest(limit: 9)).items
            let open = try #require(reports.first { $0.closed == nil })
            #expect(open.newBeacon == true && open.sightingsUntil == stage.now.advanced(by: .days(1)))
        },
        StoreContract("where rotating beacons are for verified owners, only they take a bike with one") { store, _ in
            let rotation = try RotationStage(store)
            let stage = rotation.stage
            let (giver, taker) = (try await stage.owner(), try await stage.owner())
            let bike = try await rotation.bike(of: giver).bike
            let code = SecretDigest(of: "code")
            try await store.offerTransfer(
                of: bike.id, code: code, expires: stage.now.advanced(by: .seconds(60)), by: stage.act(of: giver))
            await #expect(throws: DomainError.verificationNeeded) {
                _ = try await store.acceptTransfer(code: code, by: stage.act(of: taker), rotating: .verified, once: nil)
            }
            _ = try await store.verifyOwner(taker, by: stage.operatorAct)
            let taken = try await store.acceptTransfer(
                code: code, by: stage.act(of: taker), rotating: .verified, once: nil)
            #expect(taken.rotation != nil)
        },
        StoreContract("nights at one station are counted from its visits") { store, stage in
            let (_, report, station) = try await stage.missingBike()
            let other = try await stage.station("other")
            stage.clock.advance(by: .seconds(60))
            _ = try await stage.record(Samples.visit(from: stage.now), by: other)
            for number in 2...4 as ClosedRange<UInt64> {
                let night = stage.now.nextMidnight
                stage.clock.advance(by: stage.now.duration(to: night.advanced(by: .seconds(5 * 3600))))
                _ = try await stage.record(Samples.visit(number, from: night, lasting: .seconds(5 * 3600)), by: station)
            }
            _ = try await store.noteSigns(limit: 9, at: stage.now)
            let search = try #require(try await store.searchesToCheck(PageRequest(limit: 9)).items.first)
            #expect(search.report.id == report.id && search.signs == [.nightsAtOnePlace] && search.nights == 3)
        },
    ]
}

extension Stage {
    /// Opens a report in a registry where a beacon is new for a week.
    fileprivate func newReport(
        on bike: BikeID, of owner: OwnerID, _ policeReference: String? = nil
    ) async throws -> MissingReport {
        let report = MissingReport(
            id: newID(), bike: bike, opened: now, missingSince: now, policeReference: policeReference)
        return try await store.openReport(report, by: owner, newFor: .days(7), once: nil)
    }
}

extension Timestamp {
    /// The next midnight by the sun at the samples' place, near enough.
    fileprivate var nextMidnight: Timestamp {
        let day: Int64 = 86_400_000
        return Timestamp(milliseconds: (milliseconds / day + 1) * day)
    }
}
