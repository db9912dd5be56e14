import RegistryAPI
import RegistryRules
import Testing

@Suite("Roles on a bike")
struct BikeRoleTests {
    /// The roles that are enough for an act, by the role that it needs.
    private static let permitted: [BikeRole: Set<BikeRole>] = [
        .see: [.see, .report, .manage, .owner], .report: [.report, .manage, .owner], .manage: [.manage, .owner],
        .owner: [.owner],
    ]

    @Test("a role permits what it is needed for, and what needs a smaller one", arguments: BikeRole.allCases)
    func permits(role: BikeRole) {
        for needed in BikeRole.allCases {
            #expect((role >= needed) == Self.permitted[needed]?.contains(role), "\(role), needed \(needed)")
        }
    }

    @Test(
        "managers give and take away the smaller roles, and only the owner decides about managers",
        arguments: [(.see, [.manage, .owner]), (.report, [.manage, .owner]), (.manage, [.owner])]
            as [(MemberRole, [BikeRole])])
    func gives(given: MemberRole, givers: [BikeRole]) {
        #expect(BikeRole.allCases.filter { $0 >= .needed(toGive: given) } == givers)
    }

    @Test("each role of a member is a role on the bike, and the owner is no member")
    func members() {
        #expect(MemberRole.allCases.map { BikeRole($0).member } == MemberRole.allCases)
        #expect(BikeRole.owner.member == nil)
    }
}
