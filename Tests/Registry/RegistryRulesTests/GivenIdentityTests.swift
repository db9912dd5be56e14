import Beacons
import RegistryAPI
import RegistryRules
import Testing

@Suite("Given identities")
struct GivenIdentityTests {
    @Test(
        "well-known factory values are refused even if given identities are allowed",
        arguments: [
            "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:0:0", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:7:9",
            "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5:1:1", "74278BDA-B644-4520-8F0C-720EAF059935:65504:65505",
            "FDA50693-A4E2-4FB1-AFCF-C6EB07647825:10065:26049", "2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6:1:1",
            "01122334-4556-6778-899A-ABBCCDDEEFF0:258:772", "00000000-0000-0000-0000-000000000000:1:1",
            "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF:1:1", "9195B3AD-A9D0-4500-85FF-9FB0F65A5201:0:0",
        ]
    )
    func factory(identity: String) throws {
        let refusal = GivenIdentityPolicy.open.refusal(of: try #require(BeaconIdentity(identity)))
        #expect(refusal?.pointer == "/identity")
        #expect(refusal?.detail.contains("factory setting") == true)
    }

    @Test(
        "given identities are accepted if the operator allows them",
        arguments: [
            "494E5445-4C4C-495F-524F-434B535F4857:20594:62207", "494E5445-4C4C-495F-524F-434B535F4857:0:0",
            "B9407F30-F5F8-466E-AFF9-25556B57FE6D:13345:42", "F7826DA6-4FA2-4E98-8024-BC5B71E0893E:59192:22271",
            "9195B3AD-A9D0-4500-85FF-9FB0F65A5201:0:1",
        ]
    )
    func open(identity: String) throws {
        let identity = try #require(BeaconIdentity(identity))
        #expect(GivenIdentityPolicy.open.refusal(of: identity) == nil)
        #expect(GivenIdentityPolicy.closed.refusal(of: identity)?.pointer == "/identity")
    }

    @Test("identities of the network region cannot be chosen", arguments: GivenIdentityPolicy.allCases)
    func region(policy: GivenIdentityPolicy) {
        let identity = BeaconIdentity(uuid: NetworkRegion.uuid, major: 9, minor: 9)
        #expect(policy.refusal(of: identity)?.detail.contains("network region") == true)
    }
}
