import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Transferring bikes")
struct TransferTests {
    @Test("a code transfers the bike once; the previous owner's data about it stays hidden")
    func transfer() async throws {
        let registry = try Harness()
        let (giver, taker) = (try await registry.newOwner(), try await registry.newOwner())
        var draft = Samples.bike
        (draft.serial, draft.notes, draft.plate) = ("S1", "mine", "P1")
        let bike: Bike = try await registry.post("/v1/bikes", token: giver, draft).value()
        _ = try await registry.post("/v1/channels", token: giver, Samples.webhook)
        let report = try await registry.newReport(on: bike.id, of: giver)
        let path = "/v1/bikes/\(bike.id)"
        let closure = ReportClosure(outcome: .falseAlarm)
        _ = try await registry.post("\(path)/reports/\(report.id)/closure", token: giver, closure)
        _ = try await registry.notices()
        registry.clock.advance(by: .days(7))
        let offer = try await registry.call(.post, path + "/transfer", token: giver)
        #expect(offer.status == 201)
        let code = TransferAcceptance(code: try offer.value(Transfer.self).code)
        #expect(try await registry.post("/v1/transfers", token: giver, code).problem == "code-unusable")
        let accepted = try await registry.post("/v1/transfers", token: taker, code, key: "a")
        let handed: Bike = try accepted.value()
        #expect(accepted.status == 201 && accepted.headers[.location] == path)
        #expect(handed.serial == "S1" && handed.notes == nil && handed.plate == nil)
        #expect(handed.identity == bike.identity)
        #expect(try await registry.post("/v1/transfers", token: taker, code, key: "a").status == 201)
        #expect(try await registry.post("/v1/transfers", token: taker, code).status == 403)
        #expect(try await registry.notices().map(\.event) == [.bikeTransferred])
        #expect(try await registry.call(.get, path, token: giver).status == 404)
        #expect(try await registry.call(.get, "/v1/bikes", token: giver).value(Page<Bike>.self).items == [])
        let theirs: Page<MissingReport> = try await registry.call(.get, path + "/reports", token: taker).value()
        #expect(theirs.items == [])
        #expect(try await registry.call(.get, "\(path)/reports/\(report.id)", token: taker).status == 404)
        let history: Page<BikeEvent> = try await registry.call(.get, path + "/history", token: taker).value()
        #expect(history.items.map(\.event) == [.registered, .transferred])
        let export: OwnerExport = try await registry.call(.get, "/v1/owner/export", token: giver).value()
        #expect(export.bikes.isEmpty && export.formerReports.map(\.report.id) == [report.id])
    }

    @Test("a new code replaces the previous one, and each expires after a day")
    func codes() async throws {
        let registry = try Harness()
        let (giver, taker) = (try await registry.newOwner(), try await registry.newOwner())
        let path = "/v1/bikes/\(try await registry.newBike(of: giver).id)/transfer"
        let offer = { try await registry.call(.post, path, token: giver).value(Transfer.self).code }
        let take = { (code: String) in
            try await registry.post("/v1/transfers", token: taker, TransferAcceptance(code: code)).status
        }
        let (old, new) = (try await offer(), try await offer())
        #expect(try await take(old) == 403)
        registry.clock.advance(by: OneTimeCode.lifetime)
        #expect(try await take(new) == 403)
        #expect(try await take(try await offer()) == 201)
    }

    @Test("a bike cannot be transferred while it is missing and for 7 days after, even with an earlier code")
    func missing() async throws {
        let registry = try Harness()
        let (giver, taker) = (try await registry.newOwner(), try await registry.newOwner())
        let bike = try await registry.newBike(of: giver)
        let path = "/v1/bikes/\(bike.id)"
        let offer: Transfer = try await registry.call(.post, path + "/transfer", token: giver).value()
        let report = try await registry.newReport(on: bike.id, of: giver)
        let code = TransferAcceptance(code: offer.code)
        #expect(try await registry.post("/v1/transfers", token: taker, code).problem == "bike-missing")
        #expect(try await registry.call(.post, path + "/transfer", token: giver).problem == "bike-missing")
        let closure = ReportClosure(outcome: .recovered)
        _ = try await registry.post("\(path)/reports/\(report.id)/closure", token: giver, closure)
        #expect(try await registry.post("/v1/transfers", token: taker, code).problem == "missing-recently")
        registry.clock.advance(by: .seconds(7 * 86_400 - 1))
        let early = try await registry.call(.post, path + "/transfer", token: giver)
        #expect(early.status == 409 && early.problem == "missing-recently")
        registry.clock.advance(by: .seconds(1))
        #expect(try await registry.call(.post, path + "/transfer", token: giver).status == 201)
    }

    @Test("while another bike is missing, a transfer needs a recovery code")
    func otherMissing() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let owner = created.token
        let here = try await registry.newBike(of: owner)
        let gone = try await registry.newBike(of: owner, Samples.identity(2))
        _ = try await registry.newReport(on: gone.id, of: owner)
        let path = "/v1/bikes/\(here.id)/transfer"
        #expect(try await registry.call(.post, path, token: owner).problem == "recovery-code-needed")
        let headers = confirming(created.recoveryCodes[0])
        #expect(try await registry.call(.post, path, token: owner, headers: headers).status == 201)
    }
}
