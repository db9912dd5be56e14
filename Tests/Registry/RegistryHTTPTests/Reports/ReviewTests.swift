import Beacons
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Measures against misuse")
struct ReviewTests {
    @Test("an operator sees owners with unconfirmed reports, but no sightings and no descriptions of bikes")
    func review() async throws {
        let registry = try Harness()
        let boss = try await registry.newOperator()
        let (owner, report) = try await registry.newMissingBike()
        _ = try await registry.report(
            [Samples.visit(from: registry.clock.now)], as: try await registry.newStation().token)
        let owners: Page<OwnerSummary> = try await registry.call(.get, "/v1/owners", token: boss).value()
        #expect(owners.items.map(\.unconfirmed) == [1])
        let id = try #require(owners.items.first?.id)
        let answer = try await registry.call(.get, "/v1/owners/\(id)", token: boss)
        let review: OwnerReview = try answer.value()
        #expect(review.reports.map(\.policeReference) == ["CRIME-7"] && review.bikes == 1)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains("Brompton") && !text.contains("sighting\"") && !text.contains("latitude"))
        #expect(try await registry.call(.get, "/v1/owners", token: owner).problem == "forbidden")
        let stale = #"{"policeReference":"CRIME-8"}"#
        let path = "/v1/reports/\(report.id)/confirmation"
        #expect(try await registry.call(.put, path, token: boss, body: stale).pointers == ["/policeReference"])
        let right = #"{"policeReference":"CRIME-7"}"#
        #expect(try await registry.call(.put, path, token: boss, body: right).value(ReportReview.self).confirmed != nil)
        #expect(try await registry.call(.delete, path, token: boss).value(ReportReview.self).confirmed == nil)
        let told = Set(try await registry.notices().map(\.event))
        #expect(told.isSuperset(of: [.referenceConfirmed, .referenceWithdrawn]))
    }

    @Test("suspending an owner or stopping a beacon clears the list and sends a notice; both can be undone")
    func stops() async throws {
        let registry = try Harness()
        let boss = try await registry.newOperator()
        let station = try await registry.newStation().token
        _ = try await registry.newMissingBike()
        let owners: Page<OwnerSummary> = try await registry.call(.get, "/v1/owners", token: boss).value()
        let id = try #require(owners.items.first?.id)
        let listed = { () -> Int in
            try await registry.call(.get, "/v1/missing", token: station).value(MissingListDocument.self)
                .identities.count
        }
        for path in ["/v1/owners/\(id)/suspension", "/v1/beacons/\(Samples.identity(1))/stop"] {
            let stop = try await registry.call(.put, path, token: boss, body: #"{"reason":"planted"}"#)
            #expect(stop.status == 200)
            #expect(try await listed() == 0)
            #expect(try await registry.notices().map(\.subject) == ["planted"])
            #expect(try await registry.call(.delete, path, token: boss).status == 200)
            #expect(try await listed() == 1)
            _ = try await registry.notices()
        }
        let reason = #"{"reason":"planted"}"#
        #expect(try await registry.call(.put, "/v1/beacons/x/stop", token: boss, body: reason).problem == "not-found")
        // A stop without a reason could not be objected to.
        let path = "/v1/beacons/\(Samples.identity(1))/stop"
        for body in ["{}", #"{"reason":""}"#] {
            #expect(try await registry.call(.put, path, token: boss, body: body).problem == "invalid-fields")
        }
    }

    @Test("the error for an exceeded quota says what to do, and an operator can raise the quota for one owner")
    func quota() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        for _ in 0..<10 {
            #expect(try await registry.post("/v1/channels", token: created.token, Samples.webhook).status == 201)
        }
        let refused = try await registry.post("/v1/channels", token: created.token, Samples.webhook)
        #expect(refused.status == 403 && refused.problem == "quota-reached")
        #expect(try refused.value(ProblemDetails.self).detail.contains("10 channels"))
        let boss = try await registry.newOperator()
        let path = "/v1/owners/\(created.owner.id)/quotas"
        let raised = try await registry.call(.put, path, token: boss, body: #"{"channels":11}"#)
        let review: OwnerReview = try raised.value()
        #expect(review.quotas == Quotas(channels: 11) && review.exceptions == QuotaExceptions(channels: 11))
        #expect(try await registry.post("/v1/channels", token: created.token, Samples.webhook).status == 201)
        let bad = try await registry.call(.put, path, token: boss, body: #"{"bikes":-1,"x":1}"#)
        #expect(bad.pointers == ["/bikes", "/x"])
    }

    @Test("operators can create, list and revoke operators, except the last one")
    func operators() async throws {
        let registry = try Harness()
        let boss = try await registry.newOperator()
        let made = try await registry.post("/v1/operators", token: boss, OperatorDraft(name: "Ada"))
        let ada: OperatorCreated = try made.value()
        #expect(made.status == 201)
        let list: Page<Operator> = try await registry.call(.get, "/v1/operators", token: ada.token).value()
        #expect(Set(list.items.map(\.name)) == ["test", "Ada"])
        let path = "/v1/operators/\(ada.details.id)"
        #expect(try await registry.call(.delete, path, token: boss).value(Operator.self).revoked != nil)
        #expect(try await registry.call(.get, "/v1/operators", token: ada.token).problem == "unauthenticated")
        let first = try #require(list.items.first { $0.name == "test" })
        let last = try await registry.call(.delete, "/v1/operators/\(first.id)", token: boss)
        #expect(last.status == 409 && last.problem == "last-operator")
        let audit: Page<AuditEntry> = try await registry.call(
            .get, "/v1/audit?action=operator.revoked", token: boss
        ).value()
        #expect(audit.items.first?.event?.principal == "operator:\(first.id)")
    }
}
