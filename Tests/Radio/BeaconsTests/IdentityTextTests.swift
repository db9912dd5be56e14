import Beacons
import Foundation
import Testing

/// People type identities from a beacon's label; a misread digit registers someone else's beacon.
@Suite struct IdentityTextTests {
    static let canonical = "21EECF71-D5C7-4A00-9B90-27C94B5146EA"

    @Test(
        "a UUID is read in all its usual forms",
        arguments: [
            canonical, "21eecf71-d5c7-4a00-9b90-27c94b5146ea", "21EECF71D5C74A009B9027C94B5146EA",
        ]
    )
    func uuid(text: String) {
        #expect(ProximityUUID(text)?.description == Self.canonical)
    }

    @Test("any UUID is printed as Foundation does")
    func printed() {
        for _ in 0..<1000 {
            let text = UUID().uuidString
            #expect(ProximityUUID(text)?.description == text)
        }
    }

    @Test(
        "any other text is not a UUID",
        arguments: [
            "", "-", "----", "21EECF71", "21EECF71-D5C7-4A00-9B90-27C94B5146E", "21EECF71-D5C7-4A00-9B90-27C94B5146EA0",
            "21EECF71D5C7-4A00-9B90-27C94B5146EA", "21EECF71--D5C74A00-9B90-27C94B5146EA",
            "21EECF71-D5C7-4A00-9B90-27C94B5146EA-", "{21EECF71-D5C7-4A00-9B90-27C94B5146EA}",
            "21EECF71-D5C7-4A00-9B90-27C94B5146EG", " 21EECF71-D5C7-4A00-9B90-27C94B5146EA",
            "21EECF71–D5C7–4A00–9B90–27C94B5146EA", "２1EECF71D5C74A009B9027C94B5146EA",
        ]
    )
    func noUUID(text: String) {
        #expect(ProximityUUID(text) == nil)
    }

    @Test("an identity is parsed as printed", arguments: [(0, 0), (1, 100), (65535, 65535)] as [(UInt16, UInt16)])
    func identity(major: UInt16, minor: UInt16) {
        let identity = BeaconIdentity("\(Self.canonical):\(major):\(minor)")
        #expect(identity?.major == major)
        #expect(identity?.minor == minor)
        #expect(identity?.description == "\(Self.canonical):\(major):\(minor)")
    }

    @Test(
        "any other text is not an identity",
        arguments: ["", ":1:2", ":1", ":1:2:3", ":65536:1", ":-1:1", ":+1:1", ": 1:1", ":1:", "::1", ":0x1:1", ":१:1"]
    )
    func noIdentity(rest: String) {
        #expect(BeaconIdentity((rest.first == ":" && rest != ":1:2" ? Self.canonical : "") + rest) == nil)
    }

    @Test("identities sort by their transmitted bytes")
    func order() throws {
        let texts = ["\(Self.canonical):1:2", "\(Self.canonical):1:10", "\(Self.canonical):2:1"]
        let identities = try texts.map { try #require(BeaconIdentity($0)) }
        #expect(identities.reversed().sorted() == identities)
    }
}
