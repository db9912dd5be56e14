import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let time = [
        StoreContract("old reports expire in batches with a notice to each owner, and leave the list") { store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            for minor in 1...3 as ClosedRange<UInt16> {
                _ = try await stage.openReport(
                    on: try await stage.bike(of: owner, Samples.identity(minor)).id, of: owner)
            }
            let expire = { try await store.expireReports(limit: 2, at: stage.now, using: stage.entropy) }
            stage.clock.advance(by: MissingReport.lifetime - .milliseconds(1))
            #expect(try await expire() == 0)
            let version = try await store.missingListVersion()
            stage.clock.advance(by: .milliseconds(1))
            #expect(try await expire() == 2)
            #expect(try await expire() == 1)
            #expect(try await expire() == 0)
            #expect(try await store.missingList().identities == [])
            #expect(try await store.missingListVersion() > version)
            #expect(try await stage.claim().map(\.content.notice?.event) == Array(repeating: .reportExpired, count: 3))
        },
        StoreContract("a report with a police reference outlasts one without, which is suspended once") {
            store, stage in
            let owner = try await stage.owner()
            let founded = try await stage.bike(of: owner, Samples.identity(1))
            _ = try await stage.openReport(on: founded.id, of: owner)
            let unfounded = try await stage.bike(of: owner, Samples.identity(2))
            let report = MissingReport(
                id: stage.newID(), bike: unfounded.id, opened: stage.now, missingSince: stage.now
            )
            _ = try await store.openReport(report, by: owner, once: nil)
            stage.clock.advance(by: MissingReport.sightingsWithoutReference)
            let suspend = { try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy) }
            #expect(try await suspend() == 1)
            #expect(try await suspend() == 0)
            #expect(try await store.missingList().identities == [Samples.identity(1)])
            // The bike is still missing, so acts that need a recovery code still do.
            #expect(try await store.bike(unfounded.id, of: owner)?.openReport == report.id)
        },
        StoreContract("a find causes one notice to the bike's owner, and leaves no trace if there is none") {
            store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            for minor in [1, 2] as [UInt16] {
                try await store.addFind(
                    Find(identity: Samples.identity(minor), message: "here"), from: 1, at: stage.now)
            }
            #expect(try await store.tellFinds(limit: 9, at: stage.now, using: stage.entropy) == 2)
            #expect(try await store.tellFinds(limit: 9, at: stage.now, using: stage.entropy) == 0)
            #expect(try await stage.claim().map(\.content.notice?.subject) == ["here"])
            let history = try await store.history(of: bike.id, owner: owner, PageRequest(limit: 9)).items
            #expect(history.map(\.event) == [.registered, .found])
        },
        StoreContract("expired data is deleted, and the rest stays") { store, stage in
            let owner = try await stage.owner()
            let channel = try await stage.channel(of: owner).channel
            try await store.removeChannel(channel, by: stage.act(of: owner))
            try await store.deleteLeftovers(at: stage.now)
            let last = try #require(try await stage.claim().first)
            try await store.settle(last.id, attempt: 1, as: .delivered, at: stage.now)
            _ = try await stage.bike(of: owner, Samples.identity(1), once: stage.onceKey("a", of: owner))
            stage.clock.advance(by: IdempotencyKey.lifetime + .seconds(1))
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await store.bikes(of: owner, PageRequest(limit: 9)).items.count == 1)
            #expect(try await store.owner(owner) != nil)
        },
    ]
}
