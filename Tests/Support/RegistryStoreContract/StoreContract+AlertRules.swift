import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

extension StoreContract {
    /// A place other than the sample's, with an accuracy so low that no movement between the two is too fast.
    private static let farOff = Place(latitude: 51.5065, longitude: -0.12, accuracy: 200)

    private static func visit(_ number: UInt64, of minor: UInt16, from first: Timestamp) -> Visit {
        var visit = Samples.visit(number, of: Samples.identity(minor), from: first)
        visit.id = VisitID(high: UInt64(minor), low: number)
        visit.stay = StayID(high: UInt64(minor), low: number)
        return visit
    }

    static let alertRules = [
        StoreContract("the same place within ten minutes causes one alert") { _, stage in
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
        StoreContract("late sightings do not change the alerts about the present") { _, stage in
            let (_, _, station) = try await stage.missingBike()
            stage.clock.advance(by: .seconds(20_000))
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            #expect(try await stage.told() == [[1]])
            let backlog = (10...12 as ClosedRange<UInt64>).map { number in
                Samples.visit(number, from: stage.now.advanced(by: .seconds(-20_000 + Int64(number) * 300)))
            }
            // Late sightings together cause one alert.
            for visit in backlog { _ = try await stage.record(visit, by: station) }
            #expect(try await stage.told() == [[12]])
            stage.clock.advance(by: .seconds(300))
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            #expect(try await stage.told() == [])
        },
        StoreContract("the live alerts are the same however many late visits come between them") { _, stage in
            var generator = SeededGenerator(seed: 11)
            stage.clock.advance(by: .seconds(90_000))
            let start = stage.now
            let stations = [try await stage.station("a"), try await stage.station("b", place: Self.farOff)]
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            var told: Set<[UInt64]> = []
            for minor in 1...TestDepth.cases(2, of: 4) as ClosedRange<UInt16> {
                let bike = try await stage.bike(of: owner, Samples.identity(minor))
                _ = try await stage.openReport(
                    on: bike.id, of: owner, missingSince: start.advanced(by: .seconds(-90_000)))
                var live: [UInt64] = []
                var random = SeededGenerator(seed: 3)
                for number in 1...40 as ClosedRange<UInt64> {
                    stage.clock.advance(by: .seconds([120, 400, 700].randomElement(using: &random) ?? 120))
                    let station = stations[number % 7 == 0 ? 1 : 0]
                    _ = try await stage.record(Self.visit(number, of: minor, from: stage.now), by: station)
                    live += try await stage.newlyTold().filter { $0 < 1000 }
                    for late in 0..<(minor == 1 ? 0 : Int.random(in: 0...3, using: &generator)) {
                        let ago = Int64.random(in: 3700...40_000, using: &generator)
                        let heard = stage.now.advanced(by: .seconds(-ago))
                        let visit = Self.visit(1000 + number * 10 + UInt64(late), of: minor, from: heard)
                        _ = try await stage.record(visit, by: stations[late % 2])
                    }
                    live += try await stage.newlyTold().filter { $0 < 1000 }
                }
                stage.clock.advance(by: .seconds(90_000))
                live += try await stage.newlyTold().filter { $0 < 1000 }
                told.insert(live.sorted())
            }
            #expect(told.count == 1 && told.first?.isEmpty == false)
        },
        StoreContract("a waiting alert still reports the latest visit when an earlier one comes late") { _, stage in
            let (owner, _, station) = try await stage.missingBike()
            _ = try await stage.channel(of: owner, after: 30)
            stage.clock.advance(by: .seconds(600))
            for (number, ago) in [(1, 0), (2, 300)] as [(UInt64, Int64)] {
                let visit = Samples.visit(number, from: stage.now.advanced(by: .seconds(-ago)))
                _ = try await stage.record(visit, by: station)
            }
            stage.clock.advance(by: .seconds(1800))
            #expect(try await stage.told() == [[1], [1]])
        },
        StoreContract("a true sighting is never combined with a dismissed one") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let visit = Samples.visit(1, from: stage.now)
            _ = try await stage.record(visit, by: station)
            _ = try await stage.deliver()
            _ = try await store.dismissSighting(visit.id, of: report.id, on: report.bike, owner: owner, at: stage.now)
            _ = try await stage.deliver()
            stage.clock.advance(by: .seconds(120))
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            #expect(try await stage.told() == [[2]])
        },
        StoreContract("a waiting alert reports the latest visit, under the first one’s name") { _, stage in
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
        StoreContract("a station that is new to the report causes an alert, however near and soon") { _, stage in
            let (_, _, first) = try await stage.missingBike()
            let second = try await stage.station("second")
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: first)
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: second)
            #expect(try await stage.told() == [[1], [2]])
        },
        StoreContract("later support causes one update of the earlier alert") { _, stage in
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
        StoreContract("a waiting alert needs no update: it says what is known when it is sent") { _, stage in
            let (_, _, first) = try await stage.missingBike()
            let second = try await stage.station("second", venue: "another")
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: first)
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: second)
            let contents = try await stage.deliver().compactMap(\.content.sighting)
            #expect(contents.map(\.sighting.level) == [.corroborated, .corroborated])
            #expect(contents.map(\.isUpdate) == [false, false])
        },
        StoreContract("an operator’s distrust causes updates of earlier alerts") { store, stage in
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
        StoreContract("a dismissed sighting causes no update") { store, stage in
            let (owner, report, first) = try await stage.missingBike()
            let second = try await stage.station("second", venue: "another")
            let visit = Samples.visit(1, from: stage.now)
            _ = try await stage.record(visit, by: first)
            _ = try await stage.deliver()
            _ = try await store.dismissSighting(
                visit.id, of: report.id, on: report.bike, owner: owner, at: stage.now)
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: second)
            #expect(try await stage.told().filter { !$0.isEmpty } == [[2]])
        },
        StoreContract("urgent alerts go before earlier ones that are not urgent") { store, stage in
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
    /// The content about a sighting; nil for other alerts.
    var sighting: ClaimedAlert.SightingContent? { if case .sighting(let content) = self { content } else { nil } }

    /// The content about several sightings that were held back; nil for other alerts.
    var digest: ClaimedAlert.DigestContent? { if case .digest(let content) = self { content } else { nil } }
}
