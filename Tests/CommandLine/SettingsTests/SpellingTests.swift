import Settings
import Testing

@Suite("Suggestions for a mistyped word")
struct SpellingTests {
    private let words = ["login", "logout", "bike", "sightings", "sighting", "channel", "station"]

    @Test(
        "the suggestion is the nearest word, if one is near",
        arguments: [
            ("bik", "bike"), ("bkie", "bike"), ("Bike", "bike"), ("sigthings", "sightings"), ("chanel", "channel"),
            ("sta", "station"), ("logn", "login"), ("frobnicate", nil), ("", nil), ("x", nil),
        ] as [(String, String?)])
    func nearest(word: String, meant: String?) {
        #expect(Spelling.nearest(to: word, among: words) == meant)
    }

    @Test("a word of any length costs little time")
    func long() {
        #expect(Spelling.nearest(to: String(repeating: "a", count: 1_000_000), among: words) == nil)
    }
}
