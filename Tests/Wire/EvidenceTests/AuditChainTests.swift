import Crypto
import Foundation
import RegistryAPI
import Testing

@testable import Evidence

@Suite("The audit's chain")
struct AuditChainTests {
    @Test("a shortcut leads to the entry before the subtree that ends where it begins")
    func firstShortcuts() {
        let expected: [Int64] = [0, 1, 0, 3, 4, 3, 0, 7, 8, 7, 10, 11, 10, 7, 0, 15]
        #expect((1...16).map { AuditChain.shortcut(from: $0) } == expected)
    }

    @Test("every index has a shortcut, because the links of a pack may have any", arguments: [0, 1, 2] as [Int64])
    func lastShortcuts(distance: Int64) {
        let half: Int64 = 1 << 62
        let expected: [Int64] = [0, half - 1, half - 1 + half / 2 - 1]
        let shortcut = AuditChain.shortcut(from: Int64.max - distance)
        #expect(shortcut == expected[Int(distance)])
    }

    @Test("greedy use of shortcuts always reaches the entry")
    func antimonotone() {
        let shortcuts = (1...2000 as ClosedRange<Int64>).map { AuditChain.shortcut(from: $0) }
        for (later, target) in zip(1..., shortcuts) {
            #expect(target < later)
            for between in stride(from: Int(target) + 1, to: later, by: 1) { #expect(shortcuts[between - 1] >= target) }
        }
    }

    @Test("an entry in ten million is a few dozen links from the end", arguments: [1, 4_999_999, 8_388_607, 9_999_990])
    func short(entry: Int64) {
        let path = ChainProof.indices(to: [entry], from: 10_000_000)
        #expect(path.first == 10_000_000 && path.last == entry)
        #expect(path.count <= 72)
    }

    @Test("an event's content equals JSON with sorted keys and no white space")
    func canonical() throws {
        let event = AuditEntry.Event(
            action: "report.opened", time: Timestamp(milliseconds: 1_795_262_400_123), principal: "owner:x",
            owner: OwnerID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210), bike: BikeID(high: 0, low: 1),
            report: nil, station: StationID(high: 1, low: 0),
            details: ["note": "“é”\n\t\r\u{8}\u{C}\u{1}\u{1F}\u{7F}\"\\/🚲", "b": "", "a": "x"]
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let canonical = String(decoding: event.canonical, as: UTF8.self)
        #expect(canonical == String(decoding: try encoder.encode(event), as: UTF8.self))
        #expect(canonical.contains("\"details\":" + String(decoding: event.canonicalParts.details, as: UTF8.self)))
        #expect(canonical.contains(#""owner":"01234567-89ab-cdef-fedc-ba9876543210""#))
        #expect(try JSONDecoder().decode(AuditEntry.Event.self, from: Data(event.canonical)) == event)
    }

    @Test("commitment and chain hash are SHA-256 over the documented bytes")
    func bytes() {
        let salt = [UInt8](0..<16)
        let commitment = AuditChain.commitment(to: Array("{}".utf8), salt: salt)
        #expect(commitment.bytes == Array(SHA256.hash(data: Array("fmb-entry-1\0".utf8) + salt + "{}".utf8)))
        let (one, two) = (HashValue(of: [1]), HashValue(of: [2]))
        let hash = AuditChain.hash(index: 258, previous: one, shortcut: two, commitment: commitment)
        let input = Array("fmb-chain-1\0".utf8) + [0, 0, 0, 0, 0, 0, 1, 2] + one.bytes + two.bytes + commitment.bytes
        #expect(hash.bytes == Array(SHA256.hash(data: input)))
    }
}
