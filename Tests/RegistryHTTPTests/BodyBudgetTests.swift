import HTTPTypes
import Registry
import RegistryAPI
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("The memory for bodies")
struct BodyBudgetTests {
    private func owner(_ number: UInt64, at address: UInt64? = nil) -> BodyBudget.Holder {
        BodyBudget.Holder(
            principal: .owner(OwnerID(high: 1, low: number)), address: address.map { NetworkAddress(high: $0, low: 0) })
    }

    private func station(_ number: UInt64) -> BodyBudget.Holder {
        BodyBudget.Holder(
            principal: .station(StationID(high: 1, low: number)), address: NetworkAddress(high: 7, low: 0))
    }

    @Test("one token holds no more than its share, and gets it back with the answer")
    func share() {
        let budget = BodyBudget()
        let half = BodyBudget.Kind.owners.share / 2
        #expect(budget.take(half, owner(1)) && budget.take(half, owner(1)) && !budget.take(1, owner(1)))
        #expect(budget.take(half, owner(2)))
        budget.giveBack(half, owner(1))
        #expect(budget.take(half, owner(1)) && budget.held == 3 * half)
    }

    @Test("an address with many tokens holds no more than one share")
    func address() {
        let budget = BodyBudget()
        let half = BodyBudget.Kind.owners.share / 2
        #expect(budget.take(half, owner(1, at: 5)) && budget.take(half, owner(2, at: 5)))
        #expect(!budget.take(1, owner(3, at: 5)) && budget.take(1, owner(3, at: 6)))
    }

    @Test("strangers and owners that hold all they can keep no station out")
    func stations() {
        let budget = BodyBudget()
        for number in 0..<1000 as Range<UInt64> {
            let stranger = BodyBudget.Holder(principal: nil, address: NetworkAddress(high: number, low: 0))
            while budget.take(64 << 10, stranger) {}
            while budget.take(64 << 10, owner(number, at: number)) {}
        }
        #expect(budget.held == BodyBudget.Kind.anyone.total + BodyBudget.Kind.owners.total)
        for number in 0..<16 as Range<UInt64> {
            #expect(budget.take(BodyLimits.bytes(.post, "/v1/sightings"), station(number)))
        }
    }
}
