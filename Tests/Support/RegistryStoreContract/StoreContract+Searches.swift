import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// The duration of searches, and operators' decisions about them.
    static let searches = [
        StoreContract("closing and reopening gives no new days of search without a police reference") { store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            for _ in 1...2 {
                let report = try await stage.report(on: bike.id, of: owner)
                stage.clock.advance(by: .days(3))
                _ = try await stage.close(report, of: owner)
            }
            let third = try await stage.report(on: bike.id, of: owner)
            #expect(third.sightingsUntil == stage.now.advanced(by: .days(1)))
            stage.clock.advance(by: .days(1))
            #expect(try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy) == 1)
            _ = try await stage.close(third, of: owner)
            try await stage.deliver()
            let fourth = try await stage.report(on: bike.id, of: owner)
            #expect(fourth.sightingsUntil == stage.now)
            #expect(try await store.missingList().identities == [])
            #expect(try await stage.deliver().map(\.content.notice?.event) == [.reportSuspended])
        },
        StoreContract("any reference is good for thirty days across all reports, and without limit once confirmed") {
            store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let first = try await stage.report(on: bike.id, of: owner, "x")
            stage.clock.advance(by: .days(20))
            _ = try await stage.close(first, of: owner)
            let second = try await stage.report(on: bike.id, of: owner, "y")
            #expect(second.sightingsUntil == stage.now.advanced(by: .days(10)))
            stage.clock.advance(by: .days(10))
            #expect(try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy) == 1)
            #expect(try await store.missingList().identities == [])
            await #expect(throws: DomainError.self) {
                _ = try await store.confirmReference("z", of: second.id, by: stage.operatorAct)
            }
            let confirmed = try await store.confirmReference("y", of: second.id, by: stage.operatorAct)
            #expect(confirmed.confirmed == stage.now && confirmed.sightingsUntil == nil)
            #expect(try await store.missingList().identities == [bike.identity])
            #expect(try await store.review(of: owner).owner.unconfirmed == 1)
            // A changed force or reference needs a new confirmation.
            let force = MissingReportPatch(["policeForce": "Elsewhere"])
            let moved = try await store.changeReport(second.id, on: bike.id, force, by: stage.act(of: owner))
            #expect(moved.confirmed == nil && moved.sightingsUntil != nil)
            _ = try await store.confirmReference("y", of: second.id, by: stage.operatorAct)
            let patch = MissingReportPatch(["policeReference": "z"])
            let changed = try await store.changeReport(second.id, on: bike.id, patch, by: stage.act(of: owner))
            #expect(changed.confirmed == nil)
            #expect(changed.sightingsUntil == stage.now.advanced(by: MissingReport.sightingsWithoutConfirmation))
            #expect(try await store.review(of: owner).owner.unconfirmed == 2)
        },
        StoreContract("the days of search that a beacon has used stay with it under the next owner") { store, stage in
            let (giver, taker) = (try await stage.owner(), try await stage.owner())
            let bike = try await stage.bike(of: giver, Samples.identity(1))
            let report = try await stage.report(on: bike.id, of: giver)
            stage.clock.advance(by: .days(5))
            _ = try await stage.close(report, of: giver)
            stage.clock.advance(by: Transfers.waitAfterMissing)
            let code = SecretDigest(of: "code")
            let expires = stage.now.advanced(by: .seconds(60))
            try await store.offerTransfer(of: bike.id, code: code, expires: expires, by: stage.act(of: giver))
            _ = try await store.acceptTransfer(code: code, by: stage.act(of: taker), once: nil)
            let next = try await stage.report(on: bike.id, of: taker)
            #expect(next.sightingsUntil == stage.now.advanced(by: .days(2)))
        },
        StoreContract("an owner gets one notice three days before a search ends, with the remedy") { store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let first = try await stage.bike(of: owner, Samples.identity(1))
            let second = try await stage.bike(of: owner, Samples.identity(2))
            _ = try await stage.report(on: first.id, of: owner)
            let referenced = try await stage.report(on: second.id, of: owner, "R7")
            let announce = { try await store.announceSearchEnds(limit: 9, at: stage.now, using: stage.entropy) }
            #expect(try await announce() == 0)
            stage.clock.advance(by: .days(4))
            #expect(try await announce() == 1)
            #expect(try await stage.deliver().map(\.content.notice?.event) == [.referenceNeeded])
            stage.clock.advance(by: .days(23))
            _ = try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy)
            try await stage.deliver()
            #expect(try await announce() == 1)
            #expect(try await announce() == 0)
            let notice = try #require(try await stage.deliver().first?.content.notice)
            #expect(notice.event == .confirmationNeeded && notice.subject == "R7")
            #expect(notice.date == referenced.sightingsUntil.map { CalendarDate($0) })
        },
        StoreContract(
            "a suspended owner's bikes are not searched for, and no visit counts, until the suspension is lifted"
        ) {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let review = try await store.suspendOwner(owner, reason: "planted", by: stage.operatorAct)
            #expect(review.owner.suspended == stage.now && review.reports.map(\.id) == [report.id])
            #expect(try await store.missingList().identities == [])
            stage.clock.advance(by: .seconds(60))
            let visit = Samples.visit(from: stage.now)
            #expect(try await stage.record(visit, by: station) == [.ignored])
            let other = try await stage.bike(of: owner, Samples.identity(2))
            await #expect(throws: DomainError.ownerSuspended) {
                _ = try await stage.openReport(on: other.id, of: owner)
            }
            #expect(try await store.suspendOwner(owner, reason: nil, by: stage.operatorAct).owner == review.owner)
            _ = try await store.resumeOwner(owner, by: stage.operatorAct)
            #expect(try await store.missingList().identities == [Samples.identity(1)])
            let told = try await stage.deliver().compactMap(\.content.notice)
            #expect(told.map(\.event) == [.ownerSuspended, .ownerResumed] && told.first?.subject == "planted")
        },
        StoreContract("a beacon that an operator stops is not listed, for any owner, until it is allowed") {
            store, stage in
            let (owner, report, _) = try await stage.missingBike()
            _ = try await store.stopSearch(for: Samples.identity(1), reason: "planted", by: stage.operatorAct)
            #expect(try await store.missingList().identities == [])
            #expect(try await store.review(of: owner).reports.first?.stopped == stage.now)
            _ = try await stage.close(report, of: owner)
            try await stage.deliver()
            let again = try await stage.openReport(on: report.bike, of: owner)
            #expect(again.sightingsUntil == stage.now)
            #expect(try await stage.deliver().map(\.content.notice?.event) == [.searchStopped])
            #expect(try await store.missingList().identities == [])
            _ = try await store.allowSearch(for: Samples.identity(1), by: stage.operatorAct)
            #expect(try await store.missingList().identities == [Samples.identity(1)])
            #expect(try await stage.deliver().map(\.content.notice?.event) == [.searchAllowed])
            await #expect(throws: DomainError.notFound("beacon")) {
                _ = try await store.stopSearch(for: Samples.identity(99), reason: "planted", by: stage.operatorAct)
            }
        },
        StoreContract("owners are paged by their unconfirmed reports, including those of erased bikes") {
            store, stage in
            var owners: [OwnerID] = []
            for number in 0..<3 as Range<UInt16> {
                let owner = try await stage.owner()
                owners.append(owner)
                for report in 0..<number {
                    let bike = try await stage.bike(of: owner, Samples.identity(10 * number + report))
                    let opened = try await stage.openReport(on: bike.id, of: owner)
                    _ = try await stage.close(opened, of: owner)
                    let closed = try #require(try await store.bike(bike.id, of: owner))
                    try await store.eraseBike(closed, by: stage.act(of: owner))
                }
            }
            let first = try await store.owners(PageRequest(limit: 2))
            let second = try await store.owners(PageRequest(after: first.next, limit: 2))
            #expect((first.items + second.items).map(\.id) == owners.reversed())
            #expect((first.items + second.items).map(\.unconfirmed) == [2, 1, 0] && second.next == nil)
        },
    ]
}

extension Stage {
    /// Opens a report, with or without a police reference.
    fileprivate func report(
        on bike: BikeID, of owner: OwnerID, _ policeReference: String? = nil
    ) async throws -> MissingReport {
        let report = MissingReport(
            id: newID(), bike: bike, opened: now, missingSince: now, policeReference: policeReference
        )
        return try await store.openReport(report, by: owner, once: nil)
    }
}
