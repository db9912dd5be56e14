import FoundationEssentials
import HTTPTypes
import OperatingSystem
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Memory for request bodies")
struct BodyBudgetTests {
    private func owner(_ number: UInt64, at address: UInt64? = nil) -> BodyBudget.Holder {
        BodyBudget.Holder(
            principal: .owner(OwnerID(high: 1, low: number)), address: address.map { NetworkAddress(high: $0, low: 0) })
    }

    private func station(_ number: UInt64) -> BodyBudget.Holder {
        BodyBudget.Holder(
            principal: .station(StationID(high: 1, low: number)), address: NetworkAddress(high: 7, low: 0))
    }

    @Test("one token holds at most its share, and gets it back with the response")
    func share() {
        let budget = BodyBudget()
        let half = BodyBudget.Kind.owners.share / 2
        #expect(budget.take(half, owner(1)) && budget.take(half, owner(1)) && !budget.take(1, owner(1)))
        #expect(budget.take(half, owner(2)))
        budget.giveBack(half, owner(1))
        #expect(budget.take(half, owner(1)) && budget.held == 3 * half)
    }

    @Test("an address with many tokens holds at most one share")
    func address() {
        let budget = BodyBudget()
        let half = BodyBudget.Kind.owners.share / 2
        #expect(budget.take(half, owner(1, at: 5)) && budget.take(half, owner(2, at: 5)))
        #expect(!budget.take(1, owner(3, at: 5)) && budget.take(1, owner(3, at: 6)))
    }

    @Test("all addresses of an IPv6 network hold at most two shares")
    func network() {
        let budget = BodyBudget()
        let half = BodyBudget.Kind.anyone.share / 2
        let stranger = { (number: UInt64) in
            BodyBudget.Holder(
                principal: nil, address: NetworkAddress(high: number, low: 0),
                network: NetworkAddress(high: 0, low: .max))
        }
        for number in 1...4 as ClosedRange<UInt64> { #expect(budget.take(half, stranger(number))) }
        #expect(!budget.take(1, stranger(5)))
        budget.giveBack(half, stranger(4))
        #expect(budget.take(half, stranger(5)))
    }

    @Test("a body of usual size is read even if others hold all the rest")
    func free() async throws {
        let options = ServerOptions()
        let registry = try Harness(options: options)
        let owner = try await registry.newOwner()
        for number in 0..<100 as Range<UInt64> {
            while options.bodies.budget.take(64 << 10, self.owner(number)) {}
        }
        let bike = try await registry.post("/v1/bikes", token: owner, Samples.bike)
        #expect(bike.status == 201)
        var large = Samples.bike
        large.notes = String(repeating: "ü", count: 500)
        large.make = String(repeating: "é", count: 64)
        let padded = try await registry.call(
            .post, "/v1/bikes", token: owner,
            body: String(decoding: try JSONEncoder().encode(large), as: UTF8.self)
                + String(repeating: " ", count: 2 << 10))
        #expect(padded.problem == "overloaded")
    }

    @Test("clients and owners that hold as much as they can do not block stations")
    func stations() {
        let budget = BodyBudget()
        for number in 0..<1000 as Range<UInt64> {
            let stranger = BodyBudget.Holder(principal: nil, address: NetworkAddress(high: number, low: 0))
            while budget.take(64 << 10, stranger) {}
            while budget.take(64 << 10, owner(number, at: number)) {}
        }
        #expect(budget.held == BodyBudget.Kind.anyone.total + BodyBudget.Kind.owners.total)
        for number in 0..<16 as Range<UInt64> {
            #expect(budget.take(StationCalls.batchLimit, station(number)))
        }
    }
}
