import Registry
import RegistryAPI
import Testing

extension StoreContract {
    static let alertRules = [
        StoreContract("the same place again within ten minutes alerts once") { store in
            let stage = Stage(store)
            let (owner, report, station) = try await stage.missingBike()
            for number in 1...3 as ClosedRange<UInt64> {
                let stored = try await stage.record(Samples.visit(number, from: stage.now), by: station)
                #expect(stored.map(\.alerts) == [number == 1 ? 1 : 0])
                #expect(try await stage.told() == (number == 1 ? [[1]] : []))
                stage.clock.advance(by: .seconds(300))
            }
            #expect(try await stage.sightings(of: report, by: owner).count == 3)
            stage.clock.advance(by: .seconds(400))
            _ = try await stage.record(Samples.visit(4, from: stage.now), by: station)
            #expect(try await stage.told() == [[4]])
        },
        StoreContract("what waits tells the latest visit, under the first one’s name") { store in
            let stage = Stage(store)
            let (_, _, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            stage.clock.advance(by: .seconds(300))
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            let alerts = try await stage.claim()
            guard alerts.count == 1, case .sighting(let content) = alerts[0].content else {
                Issue.record("one alert tells both visits")
                return
            }
            #expect(content.sighting.id.low == 2)
            #expect(content.first.low == 1)
            #expect(alerts[0].collapse == "\(content.first)")
        },
        StoreContract("a station that is new to the report alerts, however near and soon") { store in
            let stage = Stage(store)
            let (_, _, first) = try await stage.missingBike()
            let second = try await stage.station("second")
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: first)
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: second)
            #expect(try await stage.told() == [[1], [2]])
        },
        StoreContract("support that comes later is told once, as news of the alert before") { store in
            let stage = Stage(store)
            let (_, _, first) = try await stage.missingBike()
            let second = try await stage.station("second", venue: "another")
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: first)
            let told = try #require(try await stage.deliver().first)
            let stored = try await stage.record(Samples.visit(2, from: stage.now), by: second)
            #expect(stored.map(\.alerts) == [2])
            let alerts = try await stage.deliver()
            let contents = alerts.compactMap(\.content.sighting)
            #expect(contents.map(\.sighting.level) == [.corroborated, .corroborated])
            let news = try #require(alerts.first { $0.content.sighting?.isUpdate == true })
            #expect(news.collapse == told.collapse && news.id != told.id && news.isUrgent)
            stage.clock.advance(by: .seconds(60))
            let more = Samples.visit(1, from: stage.now, lasting: .seconds(300))
            _ = try await stage.record(more, by: first)
            #expect(try await stage.deliver().isEmpty)
        },
        StoreContract("what waits needs no news: it says what is known when it goes out") { store in
            let stage = Stage(store)
            let (_, _, first) = try await stage.missingBike()
            let second = try await stage.station("second", venue: "another")
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: first)
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: second)
            let contents = try await stage.deliver().compactMap(\.content.sighting)
            #expect(contents.map(\.sighting.level) == [.corroborated, .corroborated])
            #expect(contents.map(\.isUpdate) == [false, false])
        },
        StoreContract("an operator’s distrust is news of what was told") { store in
            let stage = Stage(store)
            let (_, _, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            _ = try await stage.deliver()
            _ = try await store.revokeStation(
                station, quarantineSince: stage.now, by: .operator(stage.newID()), at: stage.now)
            try await stage.judge()
            let news = try #require(try await stage.deliver().first)
            #expect(news.content.sighting?.sighting.level == .disputed)
            #expect(!news.isUrgent)
        },
        StoreContract("a dismissed sighting has no news") { store in
            let stage = Stage(store)
            let (owner, report, first) = try await stage.missingBike()
            let second = try await stage.station("second", venue: "another")
            let visit = Samples.visit(1, from: stage.now)
            _ = try await stage.record(visit, by: first)
            _ = try await stage.deliver()
            _ = try await store.dismissSighting(
                visit.id, of: report.id, on: report.bike, owner: owner, at: stage.now)
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: second)
            #expect(try await stage.told() == [[2]])
        },
        StoreContract("urgent alerts go before those that came earlier and are not") { store in
            let stage = Stage(store)
            let (_, _, station) = try await stage.missingBike()
            let other = try await stage.station("other")
            let yesterday = stage.now.advanced(by: .seconds(-3 * 3600))
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let bike = try await stage.bike(of: owner, Samples.identity(2))
            let report = MissingReport(
                id: stage.newID(), bike: bike.id, opened: stage.now, missingSince: yesterday, policeReference: "1")
            _ = try await store.openReport(report, by: owner, once: nil)
            _ = try await stage.record(Samples.visit(1, of: Samples.identity(2), from: yesterday), by: other)
            stage.clock.advance(by: .seconds(1))
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            let alerts = try await stage.claim(limit: 2)
            #expect(alerts.map(\.isUrgent) == [true, false])
            #expect(alerts.compactMap(\.content.sighting).map(\.sighting.late) == [false, true])
            #expect(alerts.last?.text.paragraphs.first?.contains("late") == true)
        },
    ]
}

extension ClaimedAlert.Content {
    /// The sighting, where it is one.
    var sighting: ClaimedAlert.SightingContent? { if case .sighting(let content) = self { content } else { nil } }

    /// The sightings that were held back, where there are several.
    var digest: ClaimedAlert.DigestContent? { if case .digest(let content) = self { content } else { nil } }
}
