import Foundation
import RegistryAPI
import Testing

@Suite("URL-safe Base64")
struct Base64URLTests {
    @Test("bytes of every length are read as they were written")
    func roundTrip() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 251) }
            let text = Base64URL(bytes).text
            #expect(Base64URL(text)?.bytes == bytes && !text.contains { "+/=".contains($0) })
        }
    }

    @Test(
        "padding, other alphabets, impossible lengths and unused bits are refused",
        arguments: ["AA==", "A", "AAAAA", "AB", "AAB", "A+", "A/", "A ", "Ä"])
    func refused(text: String) { #expect(Base64URL(text) == nil) }
}
