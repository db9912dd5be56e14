import Beacons
import MissingList
import Testing

@Suite("Missing identities")
struct MissingIdentitiesTests {
    private let uuid = ProximityUUID(high: 1, low: 2)

    @Test("all of UUID, major and minor must match")
    func exact() {
        let missing = BeaconIdentity(uuid: uuid, major: 1, minor: 2)
        let list = MissingIdentities(version: 1, identities: [missing])
        #expect(list.contains(missing))
        #expect(!list.contains(BeaconIdentity(uuid: uuid, major: 2, minor: 2)))
        #expect(!list.contains(BeaconIdentity(uuid: uuid, major: 1, minor: 1)))
        #expect(!list.contains(BeaconIdentity(uuid: ProximityUUID(high: 1, low: 3), major: 1, minor: 2)))
    }

    @Test("a station without a list looks for nothing")
    func empty() {
        #expect(!MissingIdentities.empty.contains(BeaconIdentity(uuid: uuid, major: 1, minor: 2)))
    }
}
