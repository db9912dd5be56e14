import Beacons
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistryTestSupport
import Testing

@Suite("Stations and sightings")
struct StationTests {
    @Test("a code enrols one station, which is then listed for the operator")
    func enrolment() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        let draft = InvitationDraft(name: "Café", place: Samples.place)
        let invitation = try await registry.post("/v1/invitations", token: token, draft)
        #expect(invitation.status == 201)
        let code = try invitation.value(Invitation.self).code
        let enrolled = try await registry.post("/v1/station/enrolment", EnrolmentRequest(code: code.lowercased()))
        #expect(enrolled.status == 201)
        let station = try enrolled.value(StationEnrolled.self)
        #expect(station.station.name == "Café" && station.station.place == Samples.place)
        #expect(try await registry.call(.get, "/v1/missing", token: station.token).status == 200)
        let page: Page<Station> = try await registry.call(.get, "/v1/stations", token: token).value()
        var listed = station.station
        listed.state = .new
        #expect(page.items == [listed])
        let again = try await registry.post("/v1/station/enrolment", EnrolmentRequest(code: code))
        #expect(again.status == 403 && again.problem == "code-unusable")
    }

    @Test("a code is valid for 24 hours, and a wrong one gets the same response as an expired one")
    func expiry() async throws {
        let registry = try Harness()
        let draft = InvitationDraft(name: "Café", place: Samples.place)
        let invitation: Invitation = try await registry.post(
            "/v1/invitations", token: try await registry.newOperator(), draft
        ).value()
        registry.clock.advance(by: .days(1))
        let expired = try await registry.post("/v1/station/enrolment", EnrolmentRequest(code: invitation.code))
        let wrong = try await registry.post("/v1/station/enrolment", EnrolmentRequest(code: "wrong"))
        #expect(expired.status == 403 && expired.body == wrong.body)
    }

    @Test("invalid fields of invitations and enrolments are named; unknown fields of newer stations are ignored")
    func badFields() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        let body = #"{"name":"","place":{"latitude":91,"longitude":0},"x":1}"#
        let answer = try await registry.call(.post, "/v1/invitations", token: token, body: body)
        #expect(answer.status == 422 && answer.pointers == ["/name", "/place/latitude", "/x"])
        let enrolment = try await registry.call(.post, "/v1/station/enrolment", body: #"{"version":"2"}"#)
        #expect(enrolment.status == 422 && enrolment.pointers == ["/code"])
        let newer = try await registry.call(.post, "/v1/station/enrolment", body: #"{"code":"x","version":"2"}"#)
        #expect(newer.status == 403)
    }

    @Test("the missing list is sent once, then only after it has changed")
    func missingList() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let station = try await registry.newStation().token
        let bike = try await registry.newBike(of: owner)
        let empty = try await registry.call(.get, "/v1/missing", token: station)
        #expect(try empty.value(MissingListDocument.self).identities == [])
        #expect(empty.headers[.cacheControl]?.contains("private") == true)
        let tag = try #require(empty.headers[.eTag])
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
        for field in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let headers: HTTPFields = [.ifNoneMatch: field]
            let same = try await registry.call(.get, "/v1/missing", token: station, headers: headers)
            #expect(same.status == 304 && same.body.isEmpty && same.headers[.eTag] == tag)
        }
        let report = try await registry.newReport(on: bike.id, of: owner)
        let headers: HTTPFields = [.ifNoneMatch: tag]
        let changed = try await registry.call(.get, "/v1/missing", token: station, headers: headers)
        #expect(changed.status == 200 && changed.headers[.eTag] != tag)
        #expect(try changed.value(MissingListDocument.self).identities == [bike.identity])
        let closure = ReportClosure(outcome: .recovered)
        _ = try await registry.post("/v1/bikes/\(bike.id)/reports/\(report.id)/closure", token: owner, closure)
        let last = try await registry.call(.get, "/v1/missing", token: station)
        #expect(try last.value(MissingListDocument.self).identities == [])
        #expect(last.headers[.eTag] != tag)
    }

    @Test("the same batch sent twice makes one sighting and one alert")
    func twice() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let report = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let station = try await registry.newStation()
        let visit = Samples.visit(from: registry.clock.now)
        for _ in 0..<2 {
            let results = try await registry.report([visit, visit], as: station.token)
            #expect(results.map(\.result) == [.stored, .stored])
            #expect(results.first?.lookFor?.make == "Brompton")
        }
        let sightings = try await registry.sightings(of: report, by: owner)
        #expect(sightings.map(\.id) == [visit.id])
        #expect(sightings.first?.station.name == "Café")
        let alerts = try await registry.store.claimAlerts(
            at: registry.clock.now, leaseUntil: registry.clock.now.advanced(by: .seconds(1)), limit: 9
        )
        #expect(alerts.count == 1)
    }

    @Test("a visit reported out of order ends in the same state as one in order")
    func outOfOrder() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let report = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let station = try await registry.newStation().token
        registry.clock.advance(by: .seconds(600))
        let enter = Samples.visit(from: registry.clock.now.advanced(by: .seconds(-500)), lasting: .seconds(2))
        var lost = Samples.visit(from: enter.firstSeen, lasting: .seconds(400))
        lost.ended = true
        _ = try await registry.report([lost], as: station)
        _ = try await registry.report([enter], as: station)
        let sighting = try #require(try await registry.sightings(of: report, by: owner).first)
        #expect(sighting.lastSeen == lost.lastSeen && sighting.ended)
    }

    @Test("a bike that is not missing and an unknown beacon get the same response")
    func ignored() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        _ = try await registry.newBike(of: owner)
        let station = try await registry.newStation().token
        let results = try await registry.report(
            [
                Samples.visit(1, from: registry.clock.now),
                Samples.visit(2, of: Samples.identity(9), from: registry.clock.now),
            ],
            as: station
        )
        #expect(results.map(\.result) == [.ignored, .ignored])
        #expect(results.allSatisfy { $0.lookFor == nil && $0.errors == nil })
    }

    @Test("one invalid visit does not affect the others, and its error is located")
    func mixed() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        _ = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let station = try await registry.newStation().token
        let now = registry.clock.now
        var weak = Samples.visit(2, from: now)
        weak.rssi = SignalStrength(min: -60, max: -80)
        let visits = [
            Samples.visit(1, from: now), weak, Samples.visit(3, from: now.advanced(by: .seconds(301))),
            Samples.visit(4, from: now.advanced(by: .days(-40))), Samples.visit(5, from: now),
            Samples.visit(6, from: now, lasting: .seconds(-1)),
        ]
        let results = try await registry.report(visits, as: station)
        #expect(results.map(\.result) == [.stored, .stored, .invalid, .invalid, .stored, .invalid])
        #expect(results.map(\.id) == visits.map(\.id))
        #expect(
            results.map { $0.errors?.map(\.pointer) }
                == [
                    nil, nil, ["/visits/2/lastSeen"], ["/visits/3/lastSeen"], nil,
                    ["/visits/5/firstSeen"],
                ]
        )
    }

    @Test("changing the beacon or the stay of a visit is invalid, and leaves the stored visit unchanged")
    func contradiction() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let report = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let station = try await registry.newStation().token
        let now = registry.clock.now
        _ = try await registry.report([Samples.visit(1, from: now)], as: station)
        let results = try await registry.report(
            [Samples.visit(1, of: Samples.identity(9), from: now), Samples.visit(1, stay: 9, from: now)],
            as: station
        )
        #expect(results.compactMap { $0.errors?.first?.pointer } == ["/visits/0/identity", "/visits/1/stay"])
        #expect(try await registry.sightings(of: report, by: owner).count == 1)
    }

    @Test("a visit by a clock that is ahead has no time after its arrival, so no moment of it is in two reports")
    func clockAhead() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner).id
        let station = try await registry.newStation().token
        let first = try await registry.newReport(on: bike, of: owner)
        let arrival = registry.clock.now
        let visit = Samples.visit(from: arrival.advanced(by: .seconds(100)), lasting: .seconds(100))
        #expect(try await registry.report([visit], as: station).map(\.result) == [.stored])
        registry.clock.advance(by: .seconds(10))
        let closure = "/v1/bikes/\(bike)/reports/\(first.id)/closure"
        #expect(try await registry.post(closure, token: owner, ReportClosure(outcome: .falseAlarm)).status == 200)
        let second = try await registry.newReport(on: bike, of: owner)
        registry.clock.advance(by: .seconds(10))
        #expect(try await registry.report([visit], as: station).map(\.result) == [.stored])
        let before = try #require(try await registry.sightings(of: first, by: owner).first)
        #expect(before.firstSeen == arrival && before.lastSeen == arrival)
        let after = try #require(try await registry.sightings(of: second, by: owner).first)
        #expect(after.firstSeen == registry.clock.now && after.lastSeen == registry.clock.now)
    }

    @Test("visits from two stations are separate even if they have the same identifier")
    func collision() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let report = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let visit = Samples.visit(from: registry.clock.now)
        for _ in 0..<2 {
            let results = try await registry.report([visit], as: try await registry.newStation().token)
            #expect(results.map(\.result) == [.stored])
        }
        let sightings = try await registry.sightings(of: report, by: owner)
        #expect(sightings.count == 2 && Set(sightings.map(\.station.id)).count == 2)
    }

    @Test("an empty batch gets no results")
    func empty() async throws {
        let registry = try Harness()
        let station = try await registry.newStation()
        #expect(try await registry.report([], as: station.token) == [])
    }

    @Test("a body that is not a batch is refused, naming the field by its JSON pointer")
    func noBatch() async throws {
        let registry = try Harness()
        let station = try await registry.newStation().token
        let answer = try await registry.call(.post, "/v1/sightings", token: station, body: #"{"visits":7}"#)
        #expect(answer.status == 422 && answer.pointers == ["/visits"])
    }
}
