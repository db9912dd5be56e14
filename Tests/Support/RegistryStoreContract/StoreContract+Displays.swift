import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    /// Adds a display whose code has this name.
    @discardableResult
    fileprivate func display(_ code: String = "code", of station: StationID) async throws -> DisplayID {
        let display = NewDisplay(
            id: newID(), station: station, name: code, code: SecretDigest(of: code), created: now)
        try await store.addDisplay(display, by: .station(station))
        return display.id
    }

    @discardableResult
    fileprivate func pair(
        _ code: String = "code", as secret: String = "screen", attempt: String? = nil, former: String? = nil
    ) async throws -> OpenedDisplay {
        try await store.pairDisplay(
            PairingAttempt(
                code: SecretDigest(of: code), attempt: attempt.map { SecretDigest(of: $0) },
                secret: SecretDigest(of: secret), former: former.map { SecretDigest(of: $0) }, time: now))
    }

    fileprivate func open(display secret: String = "screen") async throws -> OpenedDisplay {
        try await store.openDisplay(SecretDigest(of: secret), at: now)
    }

    fileprivate func shown(_ secret: String = "screen") async throws -> [DisplayedBike] {
        try await open(display: secret).view.bikes
    }

    fileprivate func answer(
        _ answer: VisitConfirmation.Answer, to visit: VisitID = VisitID(high: 1, low: 1), at secret: String = "screen"
    ) async throws -> StoredVisit? {
        try await store.answerVisit(visit, answer, at: SecretDigest(of: secret), time: now, using: entropy)
    }

    fileprivate func latestAnswer(
        of report: MissingReport, by owner: OwnerID
    ) async throws -> VisitConfirmation.Answer? {
        let sightings = try await sightings(of: report, by: owner)
        return sightings.first?.confirmation?.answer
    }

    fileprivate func expectUnpaired(
        _ secret: String = "screen", location: SourceLocation = #_sourceLocation
    ) async throws {
        await #expect(throws: DomainError.displayUnpaired, sourceLocation: location) { _ = try await shown(secret) }
        await #expect(throws: DomainError.displayUnpaired, sourceLocation: location) {
            _ = try await answer(.seen, at: secret)
        }
    }

    fileprivate func displayEntries() async throws -> [AuditEntry.Event] {
        try await store.auditEntries(AuditFilter(), PageRequest(limit: 1000)).items.compactMap(\.event)
            .filter { $0.action.hasPrefix("display.") }
    }
}

extension StoreContract {
    static let displays = [
        StoreContract("a code pairs one screen within 15 minutes; a new code replaces one that nobody used") {
            store, stage in
            let station = try await stage.station()
            try await stage.display("first", of: station)
            let id = try await stage.display("second", of: station)
            await #expect(throws: DomainError.codeUnusable) { try await stage.pair("first") }
            let opened = try await stage.pair("second")
            #expect(opened.id == id && opened.station == station && opened.view.station == "Café")
            #expect(opened.lastUsed == nil && opened.view.bikes.isEmpty && opened.view.health.state == .starting)
            await #expect(throws: DomainError.codeUnusable) { try await stage.pair("second", as: "other") }
            // It authenticates nobody.
            #expect(try await store.credential(token: SecretDigest(of: "screen")) == nil)
            try await stage.display("late", of: station)
            stage.clock.advance(by: DisplayRules.codeLifetime)
            await #expect(throws: DomainError.codeUnusable) { try await stage.pair("late", as: "late") }
            #expect(try await store.displays(of: station, at: stage.now).map(\.id) == [id])
            await #expect(throws: DomainError.notFound("station")) { try await stage.display("x", of: stage.newID()) }
        },
        StoreContract("pairing whose response was lost can be repeated, until somebody uses the display") {
            store, stage in
            let station = try await stage.station()
            let id = try await stage.display(of: station)
            try await stage.pair(as: "lost", attempt: "a")
            await #expect(throws: DomainError.codeUnusable) { try await stage.pair(as: "thief", attempt: "b") }
            await #expect(throws: DomainError.codeUnusable) { try await stage.pair(as: "thief") }
            #expect(try await stage.pair(as: "screen", attempt: "a").id == id)
            try await stage.expectUnpaired("lost")
            try await store.noteUse(of: id, at: stage.now)
            await #expect(throws: DomainError.codeUnusable) { try await stage.pair(as: "thief", attempt: "a") }
            #expect(try await stage.open().lastUsed == stage.now)
        },
        StoreContract("a station has at most five displays; each ends a year after its last use") { store, stage in
            let station = try await stage.station()
            for number in 1...DisplayRules.most {
                try await stage.display("\(number)", of: station)
                try await stage.pair("\(number)", as: "screen \(number)")
                stage.clock.advance(by: .seconds(1))
            }
            await #expect(throws: DomainError.displaysFull) { try await stage.display("6", of: station) }
            let displays = try await store.displays(of: station, at: stage.now)
            #expect(displays.map(\.name) == ["1", "2", "3", "4", "5"] && displays.allSatisfy { $0.paired != nil })
            try await store.revokeDisplay(displays[0].id, of: station, by: .station(station), at: stage.now)
            try await stage.expectUnpaired("screen 1")
            let other = try await stage.station("other")
            await #expect(throws: DomainError.notFound("display")) {
                try await store.revokeDisplay(displays[1].id, of: other, by: .station(other), at: stage.now)
            }
            // The screen becomes another display, and the earlier one ends.
            try await stage.display("again", of: station)
            try await stage.pair("again", as: "new", former: "screen 2")
            try await stage.expectUnpaired("screen 2")
            stage.clock.advance(by: .days(1))
            try await store.noteUse(of: displays[2].id, at: stage.now)
            stage.clock.advance(by: DisplayRules.lifetime - .seconds(1))
            try await stage.expectUnpaired("new")
            _ = try await stage.shown("screen 3")
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await store.displays(of: station, at: stage.now).map(\.name) == ["3"])
            let actions = try await stage.displayEntries().map(\.action)
            #expect(actions.filter { $0 == "display.created" }.count == 6)
            #expect(actions.filter { $0 == "display.paired" }.count == 6)
            #expect(actions.filter { $0 == "display.revoked" }.count == 2)
        },
        StoreContract("a display shows the missing bikes that its own station hears now, and what to look for") {
            _, stage in
            let (owner, report, station) = try await stage.missingBike(hasChannel: false)
            let other = try await stage.station("other")
            for (code, station) in [("here", station), ("there", other)] {
                try await stage.display(code, of: station)
                try await stage.pair(code, as: code)
            }
            let visit = Samples.visit(from: stage.now, lasting: .zero)
            _ = try await stage.record(visit, by: station)
            let bike = try #require(try await stage.shown("here").first)
            #expect(bike.visit == visit.id && bike.since == stage.now && bike.proximity == .near && bike.answer == nil)
            #expect(bike.lookFor.make == "Brompton")
            #expect(try await stage.shown("there").isEmpty)
            stage.clock.advance(by: DisplayRules.presence - .seconds(1))
            #expect(try await stage.shown("here").count == 1)
            stage.clock.advance(by: .seconds(1))
            #expect(try await stage.shown("here").isEmpty)
            var later = visit
            later.lastSeen = stage.now
            _ = try await stage.record(later, by: station)
            #expect(try await stage.shown("here").map(\.lastHeard) == [stage.now])
            // Another owner does not want staff to know what to look for.
            let discreet = try await stage.owner()
            var patch = OwnerPatch()
            try patch.set("tellsAppearance", false)
            try await stage.change(discreet, patch)
            let hidden = try await stage.bike(of: discreet, Samples.identity(2))
            _ = try await stage.openReport(on: hidden.id, of: discreet)
            _ = try await stage.record(
                Samples.visit(3, of: Samples.identity(2), from: stage.now, lasting: .zero), by: station)
            #expect(try await stage.shown("here").map(\.visit) == [visit.id])
            await #expect(throws: DomainError.notFound("visit")) {
                _ = try await stage.answer(.seen, to: VisitID(high: 1, low: 3), at: "here")
            }
            later.ended = true
            _ = try await stage.record(later, by: station)
            #expect(try await stage.shown("here").isEmpty)
            _ = try await stage.record(Samples.visit(2, from: stage.now, lasting: .zero), by: station)
            #expect(try await stage.shown("here").count == 1)
            _ = try await stage.close(report, of: owner)
            #expect(try await stage.shown("here").isEmpty)
            await #expect(throws: DomainError.notFound("visit")) { _ = try await stage.answer(.seen, at: "here") }
        },
        StoreContract("an answer at a display reaches the owner as the station's does, and is recorded with its source")
        {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let display = try await stage.display(of: station)
            try await stage.pair()
            var visit = Samples.visit(from: stage.now, lasting: .zero)
            visit.receiver = VenueReceiver(name: "bar")
            _ = try await stage.record(visit, by: station)
            stage.clock.advance(by: .seconds(10))
            let stored = try #require(try await stage.answer(.seen))
            #expect(stored.report == report.id && !stored.isNew)
            var sighting = try #require(try await stage.sightings(of: report, by: owner).first)
            #expect(sighting.confirmation == VisitConfirmation(answer: .seen, time: stage.now))
            #expect(sighting.reasons == [.seenAtVenue] && sighting.level == .corroborated)
            #expect(sighting.firstSeen == visit.firstSeen && sighting.lastSeen == visit.lastSeen)
            #expect(try await stage.shown().first?.answer == sighting.confirmation)
            #expect(try await stage.shown().first?.receiver == "bar" && sighting.receiver == visit.receiver)
            let entry = try #require(try await stage.displayEntries().first { $0.action == "display.answered" })
            #expect(entry.owner == owner && entry.report == report.id && entry.station == station)
            #expect(
                entry.details == ["display": "\(display)", "visit": "\(visit.id)", "answer": "seen"])
            // The same answer changes nothing; another one does, also in the same millisecond.
            let before = try await store.auditEntries(AuditFilter(), PageRequest(limit: 1000)).items.count
            for _ in 1...5 { #expect(try await stage.answer(.seen) == nil) }
            #expect(try await store.auditEntries(AuditFilter(), PageRequest(limit: 1000)).items.count == before)
            #expect(try await stage.answer(.absent) != nil)
            sighting = try #require(try await stage.sightings(of: report, by: owner).first)
            #expect(sighting.reasons == [.notSeenAtVenue] && sighting.confirmation?.answer == .absent)
            await #expect(throws: DomainError.notFound("visit")) {
                _ = try await stage.answer(.seen, to: VisitID(high: 9, low: 9))
            }
            let other = try await stage.station("other")
            try await stage.display("there", of: other)
            try await stage.pair("there", as: "there")
            await #expect(throws: DomainError.notFound("visit")) { _ = try await stage.answer(.seen, at: "there") }
        },
        StoreContract("of the answers of a display and of the monitor, the latest applies") { _, stage in
            let (owner, report, station) = try await stage.missingBike(hasChannel: false)
            try await stage.display(of: station)
            try await stage.pair()
            var visit = Samples.visit(from: stage.now, lasting: .zero)
            _ = try await stage.record(visit, by: station)
            stage.clock.advance(by: .seconds(60))
            _ = try await stage.answer(.seen)
            // The monitor, which does not know of the answer, reports that the visit continues.
            stage.clock.advance(by: .seconds(60))
            visit.lastSeen = stage.now
            _ = try await stage.record(visit, by: station)
            #expect(try await stage.latestAnswer(of: report, by: owner) == .seen)
            // An answer that was given at the monitor before arrives late.
            visit.confirmation = VisitConfirmation(answer: .absent, time: stage.now.advanced(by: .seconds(-90)))
            _ = try await stage.record(visit, by: station)
            #expect(try await stage.latestAnswer(of: report, by: owner) == .seen)
            visit.confirmation = VisitConfirmation(answer: .absent, time: stage.now)
            _ = try await stage.record(visit, by: station)
            #expect(try await stage.latestAnswer(of: report, by: owner) == .absent)
            #expect(try await stage.shown().first?.answer?.answer == .absent)
            stage.clock.advance(by: .seconds(60))
            _ = try await stage.answer(.seen)
            #expect(try await stage.latestAnswer(of: report, by: owner) == .seen)
            // Staff may answer for a day after the bike has left.
            visit.ended = true
            _ = try await stage.record(visit, by: station)
            stage.clock.advance(by: .seconds(3600))
            #expect(try await stage.answer(.absent) != nil)
            stage.clock.advance(by: DisplayRules.answerable)
            await #expect(throws: DomainError.notFound("visit")) { _ = try await stage.answer(.seen) }
        },
        StoreContract("a revoked station’s displays end, and no new ones are made") { store, stage in
            let station = try await stage.station()
            try await stage.display(of: station)
            try await stage.pair()
            try await stage.display("waiting", of: station)
            _ = try await store.revokeStation(
                station, quarantineSince: nil, by: .operator(OperatorID(high: 9, low: 9)), at: stage.now)
            try await stage.expectUnpaired()
            await #expect(throws: DomainError.codeUnusable) { try await stage.pair("waiting", as: "b") }
            #expect(try await store.displays(of: station, at: stage.now).isEmpty)
            await #expect(throws: DomainError.notFound("station")) { try await stage.display("new", of: station) }
        },
    ]
}
