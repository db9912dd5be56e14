import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistryTestSupport
import Testing

@Suite("Rules for reports of missing bikes")
struct ReportRuleTests {
    private static let day = Duration.days(1)

    @Test("closing a report notifies all channels, and records who recovered the bike")
    func closure() async throws {
        let registry = try Harness()
        let (owner, report) = try await registry.newMissingBike()
        let path = "/v1/bikes/\(report.bike)/reports/\(report.id)"
        let expired = try await registry.call(.post, path + "/closure", token: owner, body: #"{"outcome":"expired"}"#)
        #expect(expired.status == 422 && expired.pointers == ["/outcome"])
        let contradiction = #"{"outcome":"givenUp","recoveredBy":"police"}"#
        let refused = try await registry.call(.post, path + "/closure", token: owner, body: contradiction)
        #expect(refused.pointers == ["/recoveredBy"])
        let closure = ReportClosure(outcome: .recovered, recoveredBy: .police, note: "in a shed")
        let closed: MissingReport = try await registry.post(path + "/closure", token: owner, closure).value()
        #expect(closed.closure == closure)
        let notice = try #require(try await registry.notices().first)
        #expect(notice.event == .reportClosed && notice.bike?.make == "Brompton")
    }

    @Test("a report's police reference, force, note, place and hold can be changed and removed")
    func patch() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let owner = created.token
        let report = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let path = "/v1/bikes/\(report.bike)/reports/\(report.id)"
        let until = registry.clock.now.advanced(by: Self.day * 400)
        let body = """
            {"policeReference":"R2","policeForce":"Met","note":"n","lastPlace":{"latitude":1,"longitude":2},
            "heldUntil":"\(until)"}
            """
        let changed: MissingReport = try await registry.call(.patch, path, token: owner, body: body).value()
        #expect(changed.policeReference == "R2" && changed.policeForce == "Met" && changed.note == "n")
        #expect(changed.lastPlace?.longitude == 2 && changed.heldUntil == until)
        #expect(changed.opened == report.opened && changed.missingSince == report.missingSince)
        let removal = #"{"note":null,"lastPlace":null,"heldUntil":null}"#
        #expect(try await registry.call(.patch, path, token: owner, body: removal).problem == "recovery-code-needed")
        let removed = try await registry.call(
            .patch, path, token: owner, body: removal,
            headers: confirming(created.recoveryCodes[0])
        )
        let rest: MissingReport = try removed.value()
        #expect(rest.note == nil && rest.lastPlace == nil && rest.heldUntil == nil && rest.policeForce == "Met")
        #expect(try await registry.call(.get, path, token: owner).value(MissingReport.self) == rest)
        let late = registry.clock.now.advanced(by: Self.day * 731)
        let bad = try await registry.call(.patch, path, token: owner, body: #"{"heldUntil":"\#(late)","opened":"x"}"#)
        #expect(bad.status == 422 && bad.pointers == ["/heldUntil", "/opened"])
    }

    @Test("an open report’s time can be corrected: a visit of that time then counts; a closed report’s time stays")
    func correctedTime() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let station = try await registry.newStation().token
        let path = "/v1/bikes/\(bike.id)/reports/\(report.id)"
        let earlier = registry.clock.now.advanced(by: .seconds(-3600))
        let visit = Samples.visit(1, from: earlier.advanced(by: .seconds(600)), lasting: .seconds(60))
        #expect(try await registry.report([visit], as: station).map(\.result) == [.ignored])
        let change = { (time: Timestamp) in
            try await registry.call(.patch, path, token: owner, body: #"{"missingSince":"\#(time)"}"#)
        }
        #expect(try await change(earlier).value(MissingReport.self).missingSince == earlier)
        #expect(try await registry.report([visit], as: station).map(\.result) == [.stored])
        registry.clock.advance(by: .seconds(600))
        // Within the tolerance of clocks, but after the report.
        #expect(try await change(registry.clock.now).value(MissingReport.self).missingSince == report.opened)
        for wrong in [Duration.seconds(3600), Self.day * -31] {
            #expect(try await change(registry.clock.now.advanced(by: wrong)).pointers == ["/missingSince"])
        }
        _ = try await registry.post(path + "/closure", token: owner, ReportClosure(outcome: .recovered))
        #expect(try await change(earlier).problem == "report-already-closed")
    }

    @Test("the owner learns how many stations listen, and roughly how far the nearest is from the last place")
    func listening() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let path = "/v1/bikes/\(bike.id)/reports/\(report.id)"
        let station = try await registry.newStation()
        let count = { try await registry.call(.get, path + "/stations", token: owner).value(ListeningStations.self) }
        #expect(try await count() == ListeningStations(listening: 0))
        let heartbeat = try await registry.call(
            .put, "/v1/station/heartbeat", token: station.token,
            body: #"{"version":"1.0.0","adapters":[{"name":"hci0","state":"scanning","silentSeconds":1}]}"#)
        #expect(heartbeat.status < 300)
        #expect(try await count() == ListeningStations(listening: 1))
        let (latitude, longitude) = (Samples.place.latitude + 0.0031, Samples.place.longitude)
        let body = #"{"lastPlace":{"latitude":\#(latitude),"longitude":\#(longitude)}}"#
        #expect(try await registry.call(.patch, path, token: owner, body: body).status == 200)
        #expect(try await count() == ListeningStations(listening: 1, nearest: 2000))
    }

    @Test("the owner learns the odds from thirty earlier searches on, once a day")
    func odds() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let station = try await registry.newStation().token
        let path = "/v1/bikes/\(bike.id)/reports/\(report.id)/stations"
        let odds = { try await registry.call(.get, path, token: owner).value(ListeningStations.self).odds }
        for number in 2...31 as ClosedRange<UInt16> {
            let other = try await registry.newOwner()
            let missing = try await registry.newBike(of: other, Samples.identity(number))
            let search = try await registry.newReport(on: missing.id, of: other)
            if number.isMultiple(of: 2) {
                let visit = Samples.visit(UInt64(number), of: missing.identity, from: registry.clock.now)
                _ = try await registry.report([visit], as: station)
            }
            registry.clock.advance(by: Self.day * 2)
            let closure = ReportClosure(outcome: .givenUp)
            _ = try await registry.post(
                "/v1/bikes/\(missing.id)/reports/\(search.id)/closure", token: other, closure)
            #expect(try await odds() == nil)
        }
        registry.clock.advance(by: Self.day)
        #expect(try await odds() == SearchOdds(searches: 30, percentWithinDay: 50))
        let counts: ClosedSearches = try await registry.call(
            .get, "/v1/closed-searches", token: try await registry.newOperator()
        ).value()
        #expect(counts.searches == 30 && counts.counts.count == 2)
        #expect(try await registry.call(.get, "/v1/closed-searches", token: owner).status == 403)
    }

    @Test("without a police reference a report yields sightings for 7 days; adding one extends it")
    func suspension() async throws {
        let registry = try Harness()
        let (owner, report) = try await registry.newMissingBike(policeReference: " ")
        let station = try await registry.newStation().token
        #expect(report.sightingsUntil == report.opened.advanced(by: Self.day * 7))
        let listed = { () -> Int in
            try await registry.call(.get, "/v1/missing", token: station).value(MissingListDocument.self)
                .identities.count
        }
        registry.clock.advance(by: Self.day * 7 - .seconds(1))
        await registry.runMaintenance()
        #expect(try await listed() == 1)
        registry.clock.advance(by: .seconds(2))
        await registry.runMaintenance()
        #expect(try await listed() == 0)
        #expect(try await registry.notices().map(\.event) == [.referenceNeeded, .reportSuspended])
        let visit = Samples.visit(1, from: registry.clock.now, lasting: .zero)
        #expect(try await registry.report([visit], as: station).map(\.result) == [.ignored])
        let path = "/v1/bikes/\(report.bike)/reports/\(report.id)"
        _ = try await registry.call(.patch, path, token: owner, body: #"{"policeReference":"R"}"#)
        #expect(try await listed() == 1)
        #expect(try await registry.report([visit], as: station).map(\.result) == [.stored])
        await registry.runMaintenance()
        #expect(try await listed() == 1)
        // A token alone cannot end the search.
        let withdrawn = try await registry.call(.patch, path, token: owner, body: #"{"policeReference":null}"#)
        #expect(withdrawn.status == 403 && withdrawn.problem == "recovery-code-needed")
        #expect(try await listed() == 1)
    }

    @Test(
        "removing a police reference or shortening a hold needs a recovery code; all changes are announced"
    )
    func weakening() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let owner = created.token
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let path = "/v1/bikes/\(bike.id)/reports/\(report.id)"
        let held = registry.clock.now.advanced(by: Self.day * 60)
        let patch = { (body: String, code: String?) in
            let headers = code.map { confirming($0) } ?? [:]
            return try await registry.call(.patch, path, token: owner, body: body, headers: headers).status
        }
        #expect(try await patch(#"{"policeReference":"R","heldUntil":"\#(held)"}"#, nil) == 200)
        _ = try await registry.notices()
        #expect(try await patch(#"{"policeReference":"S"}"#, nil) == 200)
        #expect(try await registry.notices().map(\.event) == [.reportChanged])
        for body in [#"{"policeReference":null}"#, #"{"heldUntil":null}"#, #"{"policeReference":"  "}"#] {
            #expect(try await patch(body, nil) != 200)
            #expect(try await registry.notices() == [])
        }
        // Notices of one kind are rate-limited.
        registry.clock.advance(by: .seconds(3601))
        #expect(try await patch(#"{"policeReference":null}"#, created.recoveryCodes[0]) == 200)
        #expect(try await patch(#"{"heldUntil":null}"#, created.recoveryCodes[1]) == 200)
        #expect(try await registry.notices().map(\.event) == [.reportChanged, .reportChanged])
    }

    @Test("acts that weaken a search are announced: a changed description, a dismissal")
    func told() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let station = try await registry.newStation().token
        let seen = registry.clock.now
        for number in 1...2 as ClosedRange<UInt64> {
            _ = try await registry.report([Samples.visit(number, from: seen)], as: station)
        }
        _ = try await registry.notices()
        for number in 1...2 as ClosedRange<UInt64> {
            let visit = Samples.visit(number, from: seen).id
            let path = "/v1/bikes/\(bike.id)/reports/\(report.id)/sightings/\(visit)/dismissal"
            #expect(try await registry.call(.post, path, token: owner).status == 200)
        }
        #expect(try await registry.notices().map(\.event) == [.sightingDismissed])
        let tag = try await registry.tag("/v1/bikes/\(bike.id)", token: owner)
        let looks = try await registry.call(
            .patch, "/v1/bikes/\(bike.id)", token: owner, body: #"{"colours":["red"]}"#, headers: tag)
        #expect(looks.status == 200)
        #expect(try await registry.notices().map(\.event) == [.bikeChanged])
    }

    @Test("a report expires after a year, with a notice two weeks before, and counts as closed")
    func expiry() async throws {
        let registry = try Harness()
        let (owner, report) = try await registry.newMissingBike()
        #expect(report.expires == report.opened.advanced(by: Self.day * 365))
        registry.clock.advance(by: Self.day * 351)
        for _ in 0..<2 { await registry.runMaintenance() }
        let announced = try await registry.notices()
        #expect(announced.map(\.event) == [.reportExpiring, .reportUnconfirmed])
        #expect(announced.first?.date == CalendarDate(report.expires))
        registry.clock.advance(by: Self.day * 14)
        await registry.runMaintenance()
        let path = "/v1/bikes/\(report.bike)"
        let closed: MissingReport = try await registry.call(.get, "\(path)/reports/\(report.id)", token: owner).value()
        #expect(closed.closed == registry.clock.now && closed.closure == ReportClosure(outcome: .expired))
        #expect(try await registry.notices().map(\.event).contains(.reportExpired))
        #expect(try await registry.call(.get, path, token: owner).value(Bike.self).openReport == nil)
        let transfer = try await registry.call(.post, path + "/transfer", token: owner)
        #expect(transfer.problem == "missing-recently")
    }

    @Test("sightings are deleted 30 days after the report is closed, or when the hold ends")
    func retention() async throws {
        let registry = try Harness()
        let (owner, report) = try await registry.newMissingBike()
        _ = try await registry.report(
            [Samples.visit(from: registry.clock.now)], as: try await registry.newStation().token
        )
        let path = "/v1/bikes/\(report.bike)/reports/\(report.id)"
        _ = try await registry.post(path + "/closure", token: owner, ReportClosure(outcome: .recovered))
        let held = registry.clock.now.advanced(by: Self.day * 60)
        _ = try await registry.call(.patch, path, token: owner, body: #"{"heldUntil":"\#(held)"}"#)
        registry.clock.advance(by: Self.day * 60 - .seconds(1))
        await registry.runMaintenance()
        #expect(try await registry.sightings(of: report, by: owner).count == 1)
        registry.clock.advance(by: .seconds(1))
        await registry.runMaintenance()
        #expect(try await registry.sightings(of: report, by: owner).isEmpty)
        #expect(try await registry.call(.get, path, token: owner).status == 200)
    }

    @Test("while a bike is missing, removing or changing a channel needs a recovery code and notifies the old address")
    func channels() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let owner = created.token
        let channel = try await registry.post("/v1/channels", token: owner, Samples.webhook)
            .value(ChannelCreated.self).channel
        _ = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let path = "/v1/channels/\(channel.id)"
        let body = #"{"kind":"webhook","url":"https://thief.example"}"#
        var tag = try await registry.tag(path, token: owner)
        for (method, body) in [(HTTPRequest.Method.put, body), (.delete, nil)] {
            let answer = try await registry.call(method, path, token: owner, body: body, headers: tag)
            #expect(answer.status == 403 && answer.problem == "recovery-code-needed")
            #expect(try await registry.call(method, path, token: owner, body: body).status == 428)
        }
        let change = try await registry.call(
            .put, path, token: owner, body: body, headers: tag.with(confirming(created.recoveryCodes[0]))
        )
        #expect(change.status == 200)
        #expect(try change.value(Channel.self).address == "https://thief.example")
        let told = try await registry.store.claimAlerts(
            at: registry.clock.now, leaseUntil: registry.clock.now.advanced(by: .seconds(1)), limit: 9
        )
        #expect(Set(told.map(\.channel.address)) == [Samples.webhook.address, "https://thief.example"])
        #expect(told.allSatisfy { $0.content.notice?.event == .channelChanged })
        tag[.ifMatch] = change.headers[.eTag]
        let removal = try await registry.call(
            .delete, path, token: owner, headers: tag.with(confirming(created.recoveryCodes[1]))
        )
        #expect(removal.status == 204)
        #expect(try await registry.notices().map(\.event) == [.channelRemoved])
        #expect(try await registry.call(.get, "/v1/channels", token: owner).value(Page<Channel>.self).items == [])
        let kind = try await registry.call(.put, path, token: owner, body: body, headers: tag)
        #expect(kind.status == 404)
    }
}

extension Harness {
    /// An owner with a channel and a missing bike.
    func newMissingBike(policeReference: String = "CRIME-7") async throws -> (String, MissingReport) {
        let owner = try await newOwner()
        _ = try await post("/v1/channels", token: owner, Samples.webhook)
        let bike = try await newBike(of: owner)
        let draft = MissingReportDraft(policeReference: policeReference)
        return (owner, try await post("/v1/bikes/\(bike.id)/reports", token: owner, draft).value())
    }
}
