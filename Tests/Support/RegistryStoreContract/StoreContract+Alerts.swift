import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let alerts = [
        StoreContract("a claimed alert contains everything that its message says") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let alert = try #require(try await stage.claim().first)
            let bike = try #require(try await store.bike(report.bike, of: owner))
            #expect(alert.attempt == 1)
            #expect(alert.created == stage.now)
            #expect(alert.channel.address == Samples.webhook.address)
            guard case .sighting(let content) = alert.content else {
                Issue.record("a visit is told as a sighting")
                return
            }
            #expect(content.bike == .init(id: bike.id, kind: .bicycle, make: "Brompton", model: "C Line"))
            #expect(content.policeReference == "CRIME-7")
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect([content.sighting] == sightings)
        },
        StoreContract("each channel gets its own alert") { _, stage in
            let (owner, _, station) = try await stage.missingBike()
            _ = try await stage.channel(of: owner)
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let alerts = try await stage.claim()
            #expect(Set(alerts.map(\.id)).count == 2)
            #expect(Set(alerts.map(\.channel.id)).count == 2)
        },
        StoreContract("a claim lasts until its lease ends; then the same alert can be claimed again") { store, stage in
            let (_, _, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            #expect(try await store.nextAlertDue() == stage.now)
            let first = try #require(try await stage.claim().first)
            #expect(try await store.nextAlertDue() == stage.now.advanced(by: .seconds(60)))
            stage.clock.advance(by: .seconds(59))
            #expect(try await stage.claim() == [])
            stage.clock.advance(by: .seconds(1))
            let second = try #require(try await stage.claim().first)
            #expect(second.id == first.id)
            #expect(second.attempt == 2)
        },
        StoreContract("a delivered alert is never sent again") { store, stage in
            let (owner, _, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let alert = try #require(try await stage.claim().first)
            try await store.settle(alert.id, attempt: alert.attempt, as: .delivered, at: stage.now)
            stage.clock.advance(by: .days(1))
            #expect(try await stage.claim() == [])
            #expect(try await store.nextAlertDue() == nil)
            #expect(try await store.channels(of: owner, PageRequest(limit: 1)).items.first?.lastError == nil)
        },
        StoreContract("a failed alert is sent again at its time, and the channel shows the reason") { store, stage in
            let (owner, _, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let alert = try #require(try await stage.claim().first)
            let next = stage.now.advanced(by: .seconds(5))
            try await store.settle(alert.id, attempt: 1, as: .retry(at: next, reason: "busy"), at: stage.now)
            #expect(try await store.nextAlertDue() == next)
            #expect(try await store.channels(of: owner, PageRequest(limit: 1)).items.first?.lastError == "busy")
            #expect(try await stage.claim() == [])
            stage.clock.advance(by: .seconds(5))
            let second = try #require(try await stage.claim().first)
            try await store.settle(second.id, attempt: 2, as: .delivered, at: stage.now)
            #expect(try await store.channels(of: owner, PageRequest(limit: 1)).items.first?.lastError == nil)
        },
        StoreContract("an alert that was given up is never sent again, and the channel shows the reason") {
            store, stage in
            let (owner, _, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let alert = try #require(try await stage.claim().first)
            try await store.settle(alert.id, attempt: 1, as: .givenUp(reason: "gone"), at: stage.now)
            #expect(try await store.nextAlertDue() == nil)
            #expect(try await store.channels(of: owner, PageRequest(limit: 1)).items.first?.lastError == "gone")
        },
        StoreContract("a worker that lost its claim cannot settle the alert") { store, stage in
            let (_, _, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let slow = try #require(try await stage.claim().first)
            stage.clock.advance(by: .seconds(60))
            let quick = try #require(try await stage.claim().first)
            try await store.settle(slow.id, attempt: slow.attempt, as: .givenUp(reason: "late"), at: stage.now)
            #expect(try await store.nextAlertDue() != nil)
            try await store.settle(quick.id, attempt: quick.attempt, as: .delivered, at: stage.now)
            #expect(try await store.nextAlertDue() == nil)
        },
        StoreContract("a removed channel sends its waiting alerts and a notice of its removal, and nothing more") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let alert = try #require(try await stage.claim().first)
            _ = try await stage.close(report, of: owner)
            let channel = try #require(try await store.channels(of: owner, PageRequest(limit: 1)).items.first)
            try await store.removeChannel(channel, by: stage.act(of: owner))
            try await store.settle(alert.id, attempt: 1, as: .delivered, at: stage.now)
            _ = try await stage.token("after", of: owner)
            let last = try await stage.claim()
            #expect(last.allSatisfy { $0.channel.id == channel.id })
            #expect(last.map(\.content.notice?.event) == [.reportClosed, .channelRemoved])
        },
    ]
}
