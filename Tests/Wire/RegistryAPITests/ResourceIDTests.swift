import RegistryAPI
import TestSupport
import Testing

@Suite("Resource identifiers")
struct ResourceIDTests {
    @Test("an identifier is a UUID of version 7 that sorts by its time")
    func versionSeven() {
        var generator = SeededGenerator(seed: 1)
        var last = BikeID(at: Timestamp(milliseconds: 0), using: &generator)
        for milliseconds in [1, 2, 1_795_241_585_250, 1_795_241_585_251] as [Int64] {
            let id = BikeID(at: Timestamp(milliseconds: milliseconds), using: &generator)
            let text = Array(id.description)
            #expect(text[14] == "7")
            #expect("89ab".contains(text[19]))
            #expect(last < id)
            #expect(BikeID(id.description) == id)
            last = id
        }
    }

    @Test(
        "an invalid UUID is refused",
        arguments: ["", "1", "01890000000070008000000000000000", "x1890000-0000-7000-8000-000000000000"])
    func refuses(text: String) {
        #expect(BikeID(text) == nil)
    }
}
