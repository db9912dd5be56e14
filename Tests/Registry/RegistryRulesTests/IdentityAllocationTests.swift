import Beacons
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@Suite("Allocation of identities")
struct IdentityAllocationTests {
    /// The issued identities, as a store keeps them.
    private struct Issued {
        var identities: Set<BeaconIdentity> = []

        mutating func allocate(
            _ allocation: IdentityAllocation, _ generator: inout SeededGenerator
        ) throws
            -> BeaconIdentity?
        {
            let identity = try allocation.next(
                latestMajor: identities.map(\.major).max(),
                isIssued: identities.contains,
                issuedMinors: { major in identities.filter { $0.major == major }.map(\.minor) },
                using: &generator
            )
            if let identity { #expect(identities.insert(identity).inserted) }
            return identity
        }
    }

    @Test("every identity of the region is issued once, major by major, until none is left")
    func exhaustion() throws {
        let allocation = IdentityAllocation(majors: 3...5, minors: 100...163)
        var issued = Issued()
        var generator = SeededGenerator(seed: 1)
        for index in 0..<192 {
            let identity = try #require(try issued.allocate(allocation, &generator))
            #expect(identity.major == 3 + UInt16(index / 64))
            #expect((100...163).contains(identity.minor))
        }
        #expect(try issued.allocate(allocation, &generator) == nil)
    }

    @Test("the last identities of a full major are issued before the next major begins")
    func lastOfMajor() throws {
        var generator = SeededGenerator(seed: 2)
        var free = Set((0..<40).map { _ in UInt16.random(in: 100...65_535, using: &generator) })
        let allocate = {
            try IdentityAllocation().next(
                latestMajor: 1,
                isIssued: { $0.major == 1 && !free.contains($0.minor) },
                issuedMinors: { _ in (0...65_535).filter { !free.contains($0) } },
                using: &generator
            )
        }
        while !free.isEmpty {
            let identity = try #require(try allocate())
            #expect(identity.major == 1)
            #expect(free.remove(identity.minor) != nil)
        }
        #expect(try allocate()?.major == 2)
    }

    @Test("the first identity is random within major 1, so that it cannot be guessed")
    func first() throws {
        let minors = try (0..<50 as Range<UInt64>).map { seed in
            var generator = SeededGenerator(seed: seed)
            var issued = Issued()
            let identity = try #require(try issued.allocate(IdentityAllocation(), &generator))
            #expect(identity.uuid == NetworkRegion.uuid && identity.major == 1)
            return identity.minor
        }
        #expect(Set(minors).count > 45)
    }
}
