import Beacons
import Testing

@Suite("Identities that many beacons share")
struct WellKnownIdentitiesTests {
    @Test(
        "factory values are recognised",
        arguments: [
            ("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:0:0", true), ("e2c56db5-dffb-48d2-b060-d0f5a71096e0:7:9", true),
            ("9195B3AD-A9D0-4500-85FF-9FB0F65A5201:0:0", true), ("9195B3AD-A9D0-4500-85FF-9FB0F65A5201:0:1", false),
            ("21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:20815", false),
        ]
    )
    func origin(text: String, isKnown: Bool) throws {
        let identity = try #require(BeaconIdentity(text))
        #expect((WellKnownIdentities.origin(of: identity) != nil) == isKnown)
    }

    @Test(
        "kinds of beacons are parsed as people write them",
        arguments: ["ibeacon", "iBeacon", "EDDYSTONE-UID", "AltBeacon"])
    func kind(text: String) {
        #expect(BeaconFrame.Kind(text) != nil)
        #expect(BeaconFrame.Kind(text + "s") == nil)
    }
}
