import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryTestSupport
import Testing

@Suite("Operators' calls for stations")
struct StationOperatorTests {
    private static let heartbeat = #"""
        {"version":"1.2","adapters":[{"name":"hci0","state":"scanning","silentSeconds":3,"reports":9}],"listVersion":4,"x":1}
        """#

    @Test("a station counts as silent from its enrolment, then from its last heartbeat")
    func silence() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        let station = try await registry.newStation()
        let path = "/v1/stations/\(station.station.id)"
        registry.clock.advance(by: .seconds(179))
        #expect(try await registry.call(.get, path, token: token).value(Station.self).silentMinutes == 2)
        let beat = try await registry.call(.put, "/v1/station/heartbeat", token: station.token, body: Self.heartbeat)
        #expect(beat.status == 204 && beat.body.isEmpty)
        let received = registry.clock.now
        registry.clock.advance(by: .seconds(3600))
        let seen: Station = try await registry.call(.get, path, token: token).value()
        #expect(seen.silentMinutes == 60)
        #expect(seen.heartbeat?.received == received && seen.heartbeat?.heartbeat.version == "1.2")
        #expect(seen.heartbeat?.heartbeat.adapters.first?.silentSeconds == 3)
        #expect(seen.heartbeat?.heartbeat.listVersion == 4)
        let listed: Page<Station> = try await registry.call(.get, "/v1/stations", token: token).value()
        #expect(listed.items == [seen])
    }

    @Test("an operator sees pending invitations without their codes, and can withdraw one")
    func invitations() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        let draft = InvitationDraft(name: "Café", place: Samples.place)
        let invitation: Invitation = try await registry.post("/v1/invitations", token: token, draft).value()
        let answer = try await registry.call(.get, "/v1/invitations", token: token)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(invitation.code))
        let page: Page<PendingInvitation> = try answer.value()
        #expect(page.items.map(\.id) == [invitation.id] && page.items.map(\.venue) == ["Café"])
        let path = "/v1/invitations/\(invitation.id)"
        let owner = try await registry.newOwner()
        #expect(try await registry.call(.delete, path, token: owner).status == 403)
        #expect(try await registry.call(.delete, path, token: token).status == 204)
        #expect(try await registry.call(.delete, path, token: token).status == 404)
        let enrolment = try await registry.post("/v1/station/enrolment", EnrolmentRequest(code: invitation.code))
        #expect(enrolment.status == 403)
    }

    @Test(
        "an invalid heartbeat is refused, naming the field by its JSON pointer",
        arguments: [
            (#"{"adapters":[]}"#, ["/version"]), (#"{"version":"1"}"#, ["/adapters"]),
            (#"{"version":"1","adapters":[{"name":"hci0"}]}"#, ["/adapters/0/state"]),
            (#"{"version":"1","adapters":[],"listVersion":-1}"#, ["/listVersion"]),
        ]
    )
    func badHeartbeat(body: String, pointers: [String]) async throws {
        let registry = try Harness()
        let token = try await registry.newStation().token
        let answer = try await registry.call(.put, "/v1/station/heartbeat", token: token, body: body)
        #expect(answer.status == 422 && answer.pointers == pointers)
    }

    @Test("a change needs an If-Match field with the station's current entity tag")
    func conditions() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        let path = "/v1/stations/\(try await registry.newStation().station.id)"
        let tag = try #require(try await registry.call(.get, path, token: token).headers[.eTag])
        let change = { (tag: String?) in
            let headers: HTTPFields = tag.map { [.ifMatch: $0] } ?? [:]
            return try await registry.call(.patch, path, token: token, body: #"{"name":"Bar"}"#, headers: headers)
        }
        let unconditional = try await change(nil)
        #expect(unconditional.status == 428 && unconditional.problem == "precondition-required")
        let changed = try await change(tag)
        #expect(changed.status == 200 && changed.headers[.eTag] != tag)
        #expect(try changed.value(Station.self).name == "Bar")
        for other in [tag, "W/\(tag)", "\"x\"", "x", "\(tag), \(tag)"] {
            let stale = try await change(other)
            #expect(stale.status == 412 && stale.problem == "changed-meanwhile", "\(other)")
        }
        #expect(try await change("*").status == 200)
    }

    @Test("a station is moved from a given time, and invalid moves are named")
    func moves() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        let path = "/v1/stations/\(try await registry.newStation().station.id)"
        registry.clock.advance(by: .seconds(7200))
        let patch = { (body: String) in
            try await registry.call(.patch, path, token: token, body: body, headers: [.ifMatch: "*"])
        }
        let place = #""place":{"latitude":1,"longitude":2}"#
        let moved = try await patch(#"{\#(place),"since":"2026-11-21T13:00:00Z"}"#)
        #expect(moved.status == 200)
        #expect(try moved.value(Station.self).place == Place(latitude: 1, longitude: 2))
        for (body, pointers) in [
            (#"{"since":"2026-11-21T13:30:00Z"}"#, ["/since"]),
            (
                #"{"place":{},"name":""}"#,
                [
                    "/name", "/place/latitude", "/place/longitude",
                ]
            ),
            (#"{\#(place),"since":"2026-11-21T14:06:00Z"}"#, ["/since"]),
            (#"{\#(place),"since":"2026-10-21T14:06:00Z"}"#, ["/since"]),
            (#"{\#(place),"since":"2026-11-21T12:30:00Z"}"#, ["/since"]), (#"{"revoked":true}"#, ["/revoked"]),
        ] {
            let answer = try await patch(body)
            #expect(answer.status == 422 && answer.pointers == pointers, "\(body)")
        }
    }

    @Test("a revoked station is refused, and its sightings are quarantined")
    func revocation() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let report = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let token = try await registry.newOperator()
        let station = try await registry.newStation()
        _ = try await registry.report([Samples.visit(from: registry.clock.now)], as: station.token)
        let path = "/v1/stations/\(station.station.id)"
        let bad = try await registry.call(.delete, "\(path)?quarantineSince=noon", token: token)
        #expect(bad.status == 400 && bad.problem == "invalid-time")
        let coming = try await registry.call(.delete, "\(path)?quarantineSince=2026-11-21T12:05:01Z", token: token)
        #expect(coming.status == 422 && coming.pointers == ["/quarantineSince"])
        #expect(try await registry.call(.get, "/v1/missing", token: station.token).status == 200)
        let answer = try await registry.call(.delete, "\(path)?quarantineSince=2026-11-21T11:00:00Z", token: token)
        let revoked: Station = try answer.value()
        #expect(answer.status == 200 && revoked.quarantinedSince == Timestamp("2026-11-21T11:00:00Z"))
        #expect(revoked.revoked == registry.clock.now && revoked.judgement?.sightings == 0)
        #expect(try await registry.call(.get, "/v1/missing", token: station.token).status == 401)
        let sighting = try #require(try await registry.sightings(of: report, by: owner).first)
        #expect(sighting.level == .disputed && sighting.reasons == [.quarantined])
        #expect(try await registry.call(.delete, path, token: token).status == 200)
        let unknown = "/v1/stations/019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
        #expect(try await registry.call(.delete, unknown, token: token).status == 404)
    }

    @Test("an enrolment whose response was lost can be repeated with its key")
    func repeatedEnrolment() async throws {
        let registry = try Harness()
        let draft = InvitationDraft(name: "Café", venue: "Old Street", mobile: true, place: Samples.place)
        let invitation: Invitation = try await registry.post(
            "/v1/invitations", token: try await registry.newOperator(), draft
        ).value()
        let request = EnrolmentRequest(code: invitation.code)
        var enrolled: [StationEnrolled] = []
        for _ in 0..<2 {
            enrolled.append(try await registry.post("/v1/station/enrolment", request, key: "k").value())
        }
        #expect(enrolled[0].station == enrolled[1].station)
        #expect(enrolled[0].station.venue == "Old Street" && enrolled[0].station.mobile)
        #expect(try await registry.call(.get, "/v1/missing", token: enrolled[0].token).status == 401)
        #expect(try await registry.call(.get, "/v1/missing", token: enrolled[1].token).status == 200)
        #expect(try await registry.post("/v1/station/enrolment", request, key: "other").status == 403)
    }
}
