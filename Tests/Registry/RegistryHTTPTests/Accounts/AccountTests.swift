import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOEmbedded
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Accounts")
struct AccountTests {
    @Test("a new owner gets ten different recovery codes, which no other call returns")
    func recoveryCodes() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        #expect(Set(created.recoveryCodes).count == 10 && created.owner.recoveryCodes == 10)
        let answer = try await registry.call(.get, "/v1/owner", token: created.token)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(created.recoveryCodes.allSatisfy { !text.contains($0) })
    }

    @Test("each recovery code creates one new token, at any time, and all channels get a notice")
    func recovery() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        _ = try await registry.post("/v1/channels", token: created.token, Samples.webhook)
        registry.clock.advance(by: .days(400))
        let code = created.recoveryCodes[3]
        let answer = try await registry.post("/v1/recovery", RecoveryRequest(code: code.lowercased(), name: "new"))
        let recovered: OwnerTokenCreated = try answer.value()
        #expect(answer.status == 201 && recovered.details.scope == .manage && recovered.details.name == "new")
        let owner: Owner = try await registry.call(.get, "/v1/owner", token: recovered.token).value()
        #expect(owner.id == created.owner.id && owner.recoveryCodes == 9)
        #expect(try await registry.notices() == [OwnerNotice(.recoveryUsed, subject: "new")])
        #expect(try await registry.post("/v1/recovery", RecoveryRequest(code: code)).problem == "code-unusable")
    }

    @Test("every invalid recovery code gets the same response")
    func wrongCodes() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let used = RecoveryRequest(code: created.recoveryCodes[0])
        _ = try await registry.post("/v1/recovery", used)
        let expected = try await registry.post("/v1/recovery", used)
        #expect(expected.status == 403)
        for code in ["x", "00000-00000-00000-00000", String(repeating: "é", count: 64)] {
            let answer = try await registry.post("/v1/recovery", RecoveryRequest(code: code))
            #expect(answer.status == expected.status && answer.body == expected.body, "\(code)")
        }
    }

    @Test("a recovery code can replace all recovery codes, and the old ones no longer work")
    func replacedCodes() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let path = "/v1/owner/recovery-codes"
        _ = try await registry.newBike(of: created.token)
        #expect(try await registry.call(.post, path, token: created.token).problem == "recovery-code-needed")
        let wrong = try await registry.call(.post, path, token: created.token, headers: confirming("x"))
        #expect(wrong.status == 403 && wrong.problem == "code-unusable")
        let answer = try await registry.call(
            .post, path, token: created.token, headers: confirming(created.recoveryCodes[0])
        )
        let codes = try answer.value(RecoveryCodes.self).recoveryCodes
        #expect(answer.status == 201 && codes.count == 10)
        let old = RecoveryRequest(code: created.recoveryCodes[1])
        #expect(try await registry.post("/v1/recovery", old).status == 403)
        #expect(try await registry.post("/v1/recovery", RecoveryRequest(code: codes[1])).status == 201)
    }

    @Test("recovery codes are replaced without an old one only in an account's first hour, and only without a bike")
    func codesThatNobodyKept() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let path = "/v1/owner/recovery-codes"
        let codes: RegistryAPI.RecoveryCodes = try await registry.call(.post, path, token: created.token).value()
        let first = RecoveryRequest(code: created.recoveryCodes[0])
        #expect(try await registry.post("/v1/recovery", first).status == 403)
        registry.clock.advance(by: SearchWeakening.timeToKeepCodes)
        #expect(try await registry.call(.post, path, token: created.token).problem == "recovery-code-needed")
        let kept = RecoveryRequest(code: codes.recoveryCodes[0])
        #expect(try await registry.post("/v1/recovery", kept).status == 201)
    }

    @Test("if owners need an invitation, each invitation creates one owner within a day")
    func invitations() async throws {
        let registry = try Harness(registration: .invited)
        let closed = try await registry.call(.post, "/v1/owners")
        #expect(closed.status == 403 && closed.problem == "invitation-needed")
        let token = try await registry.newOperator()
        let invite = { (key: String?) -> Answer in
            try await registry.post("/v1/owner-invitations", token: token, [String: String](), key: key)
        }
        let first = try await invite("a").value(Invitation.self)
        let renewed = try await invite("a").value(Invitation.self)
        #expect(first.id == renewed.id && first.code != renewed.code)
        let create = { (code: String) in try await registry.post("/v1/owners", OwnerDraft(invitation: code)).status
        }
        #expect(try await create(first.code) == 403)
        #expect(try await create(renewed.code) == 201)
        #expect(try await create(renewed.code) == 403)
        #expect(try await invite("a").problem == "invitation-accepted")
        let late = try await invite(nil).value(Invitation.self)
        registry.clock.advance(by: OneTimeCode.lifetime)
        #expect(try await create(late.code) == 403)
    }

    @Test("an owner can hide the bike's description from stations")
    func appearance() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let owner = created.token
        _ = try await registry.newReport(on: try await registry.newBike(of: owner).id, of: owner)
        let station = try await registry.newStation().token
        let told = try await registry.report([Samples.visit(1, from: registry.clock.now)], as: station)
        #expect(told.first?.lookFor?.make == "Brompton")
        let tag = try await registry.tag("/v1/owner", token: owner)
        let patch = #"{"tellsAppearance":false}"#
        // While a bike is missing, a token alone cannot hide its description from stations.
        #expect(try await registry.call(.patch, "/v1/owner", token: owner, body: patch, headers: tag).status == 403)
        let changed = try await registry.call(
            .patch, "/v1/owner", token: owner, body: patch,
            headers: tag.with(confirming(created.recoveryCodes[0])))
        #expect(changed.status == 200 && changed.headers[.eTag] != tag[.ifMatch])
        let kept = try await registry.report([Samples.visit(2, from: registry.clock.now)], as: station)
        #expect(kept.first?.result == .stored && kept.first?.lookFor == nil)
    }

    @Test("the export contains everything about the owner, and nothing about another")
    func export() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let other = try await registry.newOwner()
        _ = try await registry.newBike(of: other, Samples.identity(2))
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let visit = Samples.visit(from: registry.clock.now)
        _ = try await registry.report([visit], as: try await registry.newStation().token)
        let answer = try await registry.call(.get, "/v1/owner/export", token: owner)
        let export: OwnerExport = try answer.value()
        #expect(export.bikes.map(\.bike.id) == [bike.id] && export.channels.count == 1 && export.tokens.count == 1)
        #expect(export.bikes.first?.history.map(\.event) == [.registered])
        #expect(export.bikes.first?.reports.map(\.report) == [report])
        #expect(export.bikes.first?.reports.first?.sightings.map(\.id) == [visit.id])
        #expect(
            export.activity.map(\.action)
                == ["owner.created", "channel.added", "bike.registered", "report.opened", "sighting.stored"]
        )
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains("whsec_") && !text.contains("fmb_"))
    }

    @Test("an export of many pages is complete, and in order")
    func longExport() async throws {
        let registry = try Harness()
        let token = try await registry.newOwner()
        let owner: Owner = try await registry.call(.get, "/v1/owner", token: token).value()
        let made = try await registry.newBike(of: token)
        var bike = try #require(try await registry.store.bike(made.id, of: owner.id))
        for number in 1...230 {
            var changed = bike
            changed.notes = "\(number)"
            bike = try await registry.store.changeBike(bike, to: changed, by: registry.act(of: owner.id))
        }
        for number in 2...25 as ClosedRange<UInt16> {
            try await registry.store.eraseBike(
                try await registry.store.registerBike(
                    NewBike(
                        id: BikeID(high: 1, low: UInt64(number)), owner: owner.id, details: Samples.bike,
                        identity: .given(Samples.identity(number)), created: registry.clock.now), once: nil),
                by: registry.act(of: owner.id))
        }
        let answer = try await registry.call(.get, "/v1/owner/export", token: token)
        let export: OwnerExport = try answer.value()
        let kept = try await registry.store.export(of: owner.id, at: registry.clock.now)
        #expect(export == kept)
        #expect(export.bikes[0].history.map(\.event) == [.registered] + Array(repeating: .changed, count: 230))
        #expect(export.activity.count > 230 && export.activity[0].action == "owner.created")
    }

    @Test("an owner reads one export at a time, and none with a token that was revoked meanwhile")
    func exports() async throws {
        let registry = try Harness()
        let (owner, other) = (
            try await registry.operations.createOwner().owner.id, try await registry.operations.createOwner().owner.id
        )
        let exports = OwnerExportStreams(operations: registry.operations)
        let connection = NIOAsyncTestingChannel()
        var first: Response? = try exports.open(for: owner, over: connection) {}
        #expect(throws: DomainError.exportRunning) { try exports.open(for: owner, over: connection) {} }
        _ = try exports.open(for: other, over: connection) {}
        // A client that goes away ends its export.
        #expect(first?.status == .ok)
        first = nil
        let revoked = try exports.open(for: owner, over: connection) { throw DomainError.unauthenticated }
        let body = CollectedBody()
        await #expect(throws: DomainError.unauthenticated) { try await revoked.body.write(body) }
        #expect(!String(decoding: body.data, as: UTF8.self).contains("activity"))
    }

    @Test("erasing an owner removes everything; its beacons stay taken, and a restored copy erases it again")
    func erasure() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let owner = created.token
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook, key: "a")
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let station = try await registry.newStation().token
        _ = try await registry.report([Samples.visit(from: registry.clock.now)], as: station)
        let tag = try await registry.tag("/v1/owner", token: owner)
        let refused = try await registry.call(.delete, "/v1/owner", token: owner, headers: tag)
        #expect(refused.problem == "recovery-code-needed")
        let headers = tag.with(confirming(created.recoveryCodes[0]))
        #expect(try await registry.call(.delete, "/v1/owner", token: owner, headers: headers).status == 204)
        #expect(try await registry.call(.get, "/v1/owner", token: owner).status == 401)
        let recovery = RecoveryRequest(code: created.recoveryCodes[1])
        #expect(try await registry.post("/v1/recovery", recovery).status == 403)
        let list: MissingListDocument = try await registry.call(.get, "/v1/missing", token: station).value()
        #expect(list.identities == [])
        let results = try await registry.report([Samples.visit(2, from: registry.clock.now)], as: station)
        #expect(results.map(\.result) == [.ignored])
        let again = try await registry.newPendingBike(of: try await registry.newOwner(), bike.identity)
        await #expect(throws: DomainError.identityTaken) { try await registry.operations.accept(again) }
        _ = report
    }

    @Test("changes need the entity tag of the changed resource", arguments: [HTTPRequest.Method.patch, .delete])
    func preconditions(method: HTTPRequest.Method) async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        for path in ["/v1/owner", "/v1/bikes/\(bike.id)"] {
            let body = method == .patch ? "{}" : nil
            let without = try await registry.call(method, path, token: owner, body: body)
            #expect(without.status == 428 && without.problem == "precondition-required")
            for field in ["\"other\"", "W/\(try await registry.tag(path, token: owner)[.ifMatch] ?? "")", ""] {
                let answer = try await registry.call(method, path, token: owner, body: body, headers: [.ifMatch: field])
                #expect(answer.status == 412 && answer.problem == "changed-meanwhile", "\(field)")
            }
        }
    }
}

/// The header field that confirms a request with a recovery code.
func confirming(_ code: String) -> HTTPFields {
    HTTPField.Name(RecoveryCodeField.name).map { [$0: code] } ?? [:]
}

extension HTTPFields {
    func with(_ more: HTTPFields) -> HTTPFields {
        var fields = self
        for field in more { fields[field.name] = field.value }
        return fields
    }
}
