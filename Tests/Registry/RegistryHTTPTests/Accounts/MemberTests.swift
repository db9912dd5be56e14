import Evidence
import FoundationEssentials
import HTTPTypes
import Operations
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Members of bikes")
struct MemberTests {
    /// The role that each call on a bike needs. Leaving is possible with every role.
    private static let needed: [String: BikeRole] = [
        "GET /v1/bikes/:bike": .see,
        "PATCH /v1/bikes/:bike": .manage,
        "DELETE /v1/bikes/:bike": .owner,
        "GET /v1/bikes/:bike/history": .manage,
        "POST /v1/bikes/:bike/beacon": .owner,
        "POST /v1/bikes/:bike/beacon/test": .owner,
        "PUT /v1/bikes/:bike/parking": .owner,
        "DELETE /v1/bikes/:bike/parking": .owner,
        "POST /v1/bikes/:bike/beacon/check": .manage,
        "POST /v1/bikes/:bike/transfer": .owner,
        "GET /v1/bikes/:bike/stop": .owner,
        "PUT /v1/bikes/:bike/stop/objection": .owner,
        "PUT /v1/bikes/:bike/sticker": .manage,
        "GET /v1/bikes/:bike/sticker": .see,
        "DELETE /v1/bikes/:bike/sticker": .manage,
        "GET /v1/bikes/:bike/conversations": .report,
        "GET /v1/bikes/:bike/conversations/:conversation": .report,
        "POST /v1/bikes/:bike/conversations/:conversation/answers": .report,
        "PUT /v1/bikes/:bike/conversations/:conversation/closure": .report,
        "POST /v1/bikes/:bike/photos": .manage,
        "GET /v1/bikes/:bike/photos": .see,
        "PUT /v1/bikes/:bike/photos": .manage,
        "GET /v1/bikes/:bike/photos/:photo": .see,
        "DELETE /v1/bikes/:bike/photos/:photo": .manage,
        "PUT /v1/bikes/:bike/photos/:photo/consent": .manage,
        "GET /v1/bikes/:bike/conversations/:conversation/photos/:photo": .report,
        "POST /v1/bikes/:bike/reports": .report,
        "GET /v1/bikes/:bike/reports": .see,
        "GET /v1/bikes/:bike/reports/:report": .see,
        "GET /v1/bikes/:bike/reports/:report/stations": .see,
        "PATCH /v1/bikes/:bike/reports/:report": .report,
        "POST /v1/bikes/:bike/reports/:report/closure": .report,
        "GET /v1/bikes/:bike/reports/:report/evidence": .report,
        "GET /v1/bikes/:bike/reports/:report/sightings": .see,
        "POST /v1/bikes/:bike/reports/:report/sightings/:sighting/dismissal": .report,
        "POST /v1/bikes/:bike/reports/:report/sightings/:sighting/acknowledgement": .report,
        "POST /v1/bikes/:bike/shares": .owner,
        "GET /v1/bikes/:bike/shares": .owner,
        "DELETE /v1/bikes/:bike/shares/:share": .owner,
        "POST /v1/bikes/:bike/invitations": .manage,
        "GET /v1/bikes/:bike/invitations": .manage,
        "DELETE /v1/bikes/:bike/invitations/:invitation": .manage,
        "GET /v1/bikes/:bike/members": .see,
        "PUT /v1/bikes/:bike/members/:member/role": .manage,
        "DELETE /v1/bikes/:bike/members/:member": .manage,
    ]

    /// A missing bike with a photo and a sighting, whose owner has invited a member.
    private struct Shared {
        let registry: Harness
        let owner: String
        let bike: Bike
        let report: MissingReport
        let photo: PhotoID
        let conversation: ConversationID
        /// Another member.
        let member: MemberID

        /// - Parameter minor: the minor value of its beacon, another one for each bike of a registry.
        init(_ registry: Harness, minor: UInt16 = 100) async throws {
            self.registry = registry
            owner = try await registry.newOwner()
            bike = try await registry.newBike(of: owner, Samples.identity(minor))
            report = try await registry.newReport(on: bike.id, of: owner)
            let added = try await registry.addPhoto(
                JPEGSample(64, 48).bytes, to: "/v1/bikes/\(bike.id)/photos", token: owner)
            photo = try added.value(Photo.self).id
            _ = try await registry.call(.put, "/v1/bikes/\(bike.id)/sticker", token: owner)
            _ = try await registry.operations.beginConversation(
                registry.operations.newConversationSecret(), about: .beacon(bike.identity), MessageDraft(text: "x"),
                from: nil)
            let conversations = try await registry.call(.get, "/v1/bikes/\(bike.id)/conversations", token: owner)
            conversation = try #require(try conversations.value(Page<Conversation>.self).items.first).id
            let other = try await registry.newMember(of: bike.id, owner: owner, .see)
            let list = try await registry.call(.get, "/v1/bikes/\(bike.id)/members", token: other)
            member = try #require(try list.value(Page<Member>.self).items.first).id
        }

        /// Makes a call of the contract with its own example as the body.
        func call(_ call: Call, as token: String) async throws -> Answer {
            let base = "/v1/bikes/\(bike.id)"
            let path = call.path.replacing(":bike", with: "\(bike.id)").replacing(":report", with: "\(report.id)")
                .replacing(":photo", with: "\(photo)").replacing(":member", with: "\(member)")
                .replacing(":sighting", with: "\(VisitID(high: 1, low: 1))")
                .replacing(":conversation", with: "\(conversation)")
                .replacing(":share", with: "\(ShareID(high: 1, low: 1))")
                .replacing(":invitation", with: "\(InvitationID(high: 1, low: 1))")
            if call.path == "/v1/bikes/:bike/photos", call.method == .post {
                return try await registry.addPhoto(JPEGSample(64, 48).bytes, to: path, token: token)
            }
            var body = try call.body?.example().map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
            if call.method == .put, call.path == "/v1/bikes/:bike/photos" {
                body = "{\"photos\":[\"\(photo)\"]}"
            }
            let headers = try await registry.tag(base, token: token)
            return try await registry.call(call.method, path, token: token, body: body, headers: headers)
        }
    }

    private let registry: Harness

    init() throws {
        let library = PhotoLibrary(pictures: MemoryPhotoStore(), converter: SampleConverter())
        registry = try Harness(keyring: Keyring(at: HandClock().now), photos: library)
    }

    @Test("every call on a bike states its role; strangers get 404, and members with a smaller role 403")
    func table() async throws {
        let calls = registry.calls().filter { $0.path.hasPrefix("/v1/bikes/:bike") }
        #expect(Set(calls.map { "\($0.method) \($0.path)" }) == Set(Self.needed.keys))
        let shared = try await Shared(registry)
        let stranger = try await registry.newOwner()
        for call in calls {
            let answer = try await shared.call(call, as: stranger)
            #expect(answer.status == 404, "\(call.method) \(call.path)")
        }
        for role in MemberRole.allCases {
            let member = try await registry.newMember(of: shared.bike.id, owner: shared.owner, role)
            for call in calls {
                let name = "\(call.method) \(call.path)"
                let needed = try #require(Self.needed[name])
                guard BikeRole(role) < needed else { continue }
                let answer = try await shared.call(call, as: member)
                #expect(answer.status == 403 && answer.problem == "role-needed", "\(role) \(name)")
                let detail = try answer.value(ProblemDetails.self).detail
                #expect(detail.contains(needed == .owner ? "owner" : "‘\(needed)’"), "\(role) \(name)")
            }
        }
    }

    @Test("a sufficient role is enough for every call", arguments: MemberRole.allCases)
    func allowed(role: MemberRole) async throws {
        let calls = registry.calls().filter { call in
            Self.needed["\(call.method) \(call.path)"].map { $0 <= BikeRole(role) } ?? false
        }
        for (index, call) in calls.enumerated() {
            let shared = try await Shared(registry, minor: UInt16(100 + index))
            let member = try await registry.newMember(of: shared.bike.id, owner: shared.owner, role)
            let answer = try await shared.call(call, as: member)
            let isBikeMissing =
                (try? answer.value(ProblemDetails.self).detail.contains("bike was not found")) == true
            #expect(answer.problem != "role-needed" && !isBikeMissing, "\(call.method) \(call.path)")
            // No finder has added a photo.
            let isOfFinder = call.path.hasSuffix("/conversations/:conversation/photos/:photo")
            if call.method == .get { #expect(answer.status == (isOfFinder ? 404 : 200), "\(call.path)") }
        }
    }

    @Test("the scope of a token bounds the role, and the role bounds the scope")
    func scopes() async throws {
        let shared = try await Shared(registry)
        let member = try await registry.newMember(of: shared.bike.id, owner: shared.owner, .manage)
        let reader = try await registry.newToken(of: member, scope: .read)
        let path = "/v1/bikes/\(shared.bike.id)"
        let closure = ReportClosure(outcome: .falseAlarm)
        let close = "\(path)/reports/\(shared.report.id)/closure"
        #expect(try await registry.post(close, token: reader, closure).problem == "insufficient-scope")
        let draft = MemberInvitationDraft(role: .see, label: "B")
        let reporter = try await registry.newToken(of: member, scope: .report)
        #expect(try await registry.post(path + "/invitations", token: reporter, draft).problem == "insufficient-scope")
        #expect(try await registry.post(close, token: reporter, closure).status == 200)
    }

    @Test("an invitation’s link is shown once, looked at, and accepted once")
    func invitation() async throws {
        let (owner, friend) = (try await registry.newOwner(), try await registry.newOwner())
        let bike = try await registry.newBike(of: owner)
        let path = "/v1/bikes/\(bike.id)/invitations"
        let made = try await registry.post(path, token: owner, MemberInvitationDraft(role: .report, label: "Anna"))
        let created: MemberInvitationCreated = try made.value()
        #expect(made.status == 201 && made.headers[.location] == "\(path)/\(created.details.id)")
        #expect(created.link == "https://registry.example/join#\(created.secret)")
        let list = try await registry.call(.get, path, token: owner)
        #expect(try list.value(Page<MemberInvitation>.self).items == [created.details])
        #expect(!String(decoding: list.body, as: UTF8.self).contains(created.secret))
        #expect(try await registry.call(.get, "/v1/owner", token: created.secret).status == 401)
        for wrong in ["", "x", "fmb_join_" + String(repeating: "A", count: 43), owner] {
            let answer = try await registry.post(
                "/v1/memberships/offer", token: friend, InvitationAcceptance(invitation: wrong))
            #expect([403, 422].contains(answer.status))
        }
        let acceptance = InvitationAcceptance(invitation: try #require(created.link))
        let offer: MembershipOffer = try await registry.post("/v1/memberships/offer", token: friend, acceptance).value()
        #expect(offer.make == bike.make && offer.role == .report && offer.label == "Anna")
        #expect(try await registry.post("/v1/memberships", token: owner, acceptance).problem == "already-member")
        let joined = try await registry.post("/v1/memberships", token: friend, acceptance)
        #expect(joined.status == 201 && joined.headers[.location] == "/v1/bikes/\(bike.id)")
        #expect(try joined.value(Bike.self).role == .report)
        let late = try await registry.post("/v1/memberships", token: try await registry.newOwner(), acceptance)
        #expect(late.status == 403 && late.problem == "invitation-unusable")
    }
}

extension Harness {
    /// A new owner's token, who is a member of a bike.
    func newMember(
        of bike: BikeID, owner: String, _ role: MemberRole, label: String = "Anna"
    ) async throws -> String {
        let member = try await newOwner()
        let made: MemberInvitationCreated = try await post(
            "/v1/bikes/\(bike)/invitations", token: owner, MemberInvitationDraft(role: role, label: label)
        ).value()
        _ = try await post("/v1/memberships", token: member, InvitationAcceptance(invitation: made.secret))
            .value(Bike.self)
        return member
    }
}
