import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Links to photos for staff")
struct StaffPhotoLinkTests {
    private static let (visit, station) = (VisitID(high: 1, low: 2), StationID(high: .max, low: 4))

    private static func consent(_ seed: UInt64) -> StaffPhotoConsent {
        var entropy = Entropy.seeded(seed)
        return StaffPhotoConsent(using: &entropy)
    }

    @Test("a link is read from its path, names its visit, and only its own consent seals it")
    func reading() throws {
        let link = StaffPhotoLink(of: Self.visit, at: Self.station, Self.consent(1))
        let text = try #require(link.path.split(separator: "/").last.map { String($0) })
        #expect(link.path == StaffPhotoLink.folder + text)
        let read = try #require(StaffPhotoLink(text))
        #expect(read == link && read.visit == Self.visit && read.station == Self.station)
        #expect(read.isSealed(by: Self.consent(1)) && !read.isSealed(by: Self.consent(2)))
    }

    @Test("a link in which any character is changed is not sealed, or is none")
    func changed() throws {
        let consent = Self.consent(1)
        let link = StaffPhotoLink(of: Self.visit, at: Self.station, consent)
        let text = Array(link.path.utf8.dropFirst(StaffPhotoLink.folder.utf8.count))
        for index in text.indices {
            var other = text
            other[index] = other[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let changed = StaffPhotoLink(String(decoding: other, as: UTF8.self))
            #expect(changed?.isSealed(by: consent) != true)
        }
    }

    @Test("other texts are no links", arguments: ["", "x", "../etc", String(repeating: "A", count: 87), "é"])
    func others(_ text: String) {
        #expect(StaffPhotoLink(text) == nil)
        #expect(StaffPhotoLink(String(repeating: text + "A", count: 10_000)) == nil)
    }
}
