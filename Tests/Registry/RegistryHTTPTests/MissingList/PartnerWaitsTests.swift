import Testing

@testable import RegistryHTTP

@Suite("Waiting requests of partners")
struct PartnerWaitsTests {
    @Test("a partner's fifth request ends its oldest, and none of another partner")
    func displaced() {
        let waits = PartnerWaits()
        let other = waits.begin(of: 2)
        let numbers = (0..<4).map { _ in waits.begin(of: 1) }
        #expect(numbers.allSatisfy { waits.isOpen($0, of: 1) })
        let last = waits.begin(of: 1)
        #expect(!waits.isOpen(numbers[0], of: 1) && waits.isOpen(numbers[1], of: 1) && waits.isOpen(last, of: 1))
        #expect(waits.isOpen(other, of: 2))
    }
}
