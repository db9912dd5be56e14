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
                isIssued: identities.contains,
                issuedMinors: { major in identities.filter { $0.major == major }.map(\.minor) },
                using: &generator
            )
            if let identity { #expect(identities.insert(identity).inserted) }
            return identity
        }
    }

    @Test("every identity of the region is issued once, until none is left")
    func exhaustion() throws {
        let allocation = IdentityAllocation(majors: 3...5, minors: 100...163)
        var issued = Issued()
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<192 {
            let identity = try #require(try issued.allocate(allocation, &generator))
            #expect((3...5).contains(identity.major) && (100...163).contains(identity.minor))
        }
        #expect(try issued.allocate(allocation, &generator) == nil)
    }

    @Test("the last identity is found, wherever it is", arguments: 1...5 as ClosedRange<UInt16>)
    func last(major: UInt16) throws {
        let last = BeaconIdentity(uuid: NetworkRegion.uuid, major: major, minor: 4711)
        var generator = SeededGenerator(seed: 2)
        let found = try IdentityAllocation(majors: 1...5).next(
            isIssued: { $0 != last },
            issuedMinors: { major in (0...65_535).filter { major != last.major || $0 != last.minor } },
            using: &generator
        )
        #expect(found == last)
    }

    @Test("registries that know nothing of each other issue different identities, which cannot be guessed")
    func registries() throws {
        let issued = try (1...3 as ClosedRange<UInt64>).flatMap { seed in
            var generator = SeededGenerator(seed: seed)
            var registry = Issued()
            for _ in 0..<1000 {
                let identity = try #require(try registry.allocate(IdentityAllocation(), &generator))
                #expect(identity.uuid == NetworkRegion.uuid)
            }
            return registry.identities
        }
        #expect(Set(issued).count == 3000)
    }
}
