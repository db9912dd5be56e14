import TestSupport
import Testing

@testable import MissingList

/// Bytes that a broken disk, a broken registry or a stranger may pass to a station. They must cause an error, never a
/// trap, and never yield a list that nobody sent.
@Suite("Hostile bytes")
struct HostileListTests {
    private let before: MissingIdentities
    private let after: MissingIdentities
    private let full: [UInt8]
    private let delta: [UInt8]

    init() {
        var generator = SeededGenerator(seed: 3)
        before = MissingIdentities.random(1, count: 25, using: &generator)
        after = before.changed(to: 2, removing: 4, adding: 5, using: &generator)
        full = after.encoded
        delta = after.delta(from: before).encoded
    }

    @Test("a list that is truncated anywhere is refused")
    func truncated() {
        for message in [full, delta] {
            for length in 0..<message.count {
                #expect(throws: ListCodingError.self) { try before.reading(Array(message.prefix(length))) }
            }
        }
    }

    @Test("a single flipped bit is detected")
    func flipped() {
        for message in [full, delta] {
            for offset in message.indices {
                var changed = message
                changed[offset] ^= 1 << UInt8(offset % 8)
                // The version is not part of the digest. A station requests a list with a wrong version again.
                if let list = try? before.reading(changed) {
                    #expect((8..<24).contains(offset) && list.digest == after.digest, "at \(offset)")
                }
            }
        }
    }

    @Test("random bytes after a valid beginning are never accepted as a list")
    func random() {
        var generator = SeededGenerator(seed: 9)
        for message in [full, delta] {
            for _ in 0..<300 {
                var changed = message
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    changed[Int.random(in: 24..<changed.count, using: &generator)] = UInt8.random(
                        in: .min ... .max, using: &generator)
                }
                guard changed != message else { continue }
                #expect(throws: ListCodingError.self) { try before.reading(changed) }
            }
        }
    }

    @Test("surplus bytes are refused")
    func surplus() {
        #expect(throws: ListCodingError.wrongLength) { try before.reading(full + [0]) }
        #expect(throws: ListCodingError.wrongLength) { try before.reading(delta + [0]) }
    }

    @Test(
        "other formats are reported as such",
        arguments: [
            (0, ListCodingError.notAList), (4, .unknownFormat), (5, .unknownFormat),
            (6, .unknownFormat),
        ])
    func formats(offset: Int, error: ListCodingError) {
        var changed = full
        changed[offset] = 9
        #expect(throws: error) { try before.reading(changed) }
    }

    @Test("a large count does not make the reader reserve memory")
    func greedy() {
        for message in [full, delta] {
            for offset in [24, 76, 80] where offset < message.count {
                var changed = message
                for index in offset..<offset + 4 { changed[index] = 0xFF }
                #expect(throws: ListCodingError.self) { try before.reading(changed) }
            }
        }
    }

    /// Eight megabytes once made a station decode sixty million entries.
    @Test("too many entries are refused before memory is reserved for them, in lists and in changes")
    func tooMany() throws {
        #expect(throws: ListCodingError.tooManyEntries(count: after.count, limit: 25)) {
            try ListMessage(full, limit: 25)
        }
        _ = try ListMessage(full, limit: after.count)
        #expect(throws: ListCodingError.tooManyEntries(count: after.count, limit: 25)) {
            try ListMessage(delta, limit: 25)
        }
        for (offset, count) in [(24, 8_000_001), (76, 8_000_001), (80, 8_000_001)] {
            var changed = offset == 24 ? full : delta
            // With parameter 0, zeros are one-bit numbers.
            (changed[7], changed[offset]) = (0, UInt8(truncatingIfNeeded: count >> 24))
            for index in 1..<4 { changed[offset + index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * index)) }
            changed += [UInt8](repeating: 0, count: 1 << 20)
            #expect(throws: ListCodingError.tooManyEntries(count: count, limit: 8_000_000)) {
                try ListMessage(changed)
            }
        }
    }

    @Test("a reasonable parameter keeps a list within the length that stations accept, and an absurd one does not")
    func longest() {
        var generator = SeededGenerator(seed: 4)
        for count in [20_000, 60_000, 100_000] {
            let list = MissingIdentities.random(1, count: count, using: &generator)
            let best = RiceParameter.best(for: list.count, below: TruncatedHash.limit)
            func length(_ parameter: UInt8) -> Int {
                var writer = BitWriter(after: [])
                writer.appendAscending(list.hashes.lazy.map(\.value), parameter: parameter)
                return writer.finish().count
            }
            let longest = MissingIdentities.longestEncoding(count: list.count)
            #expect((best - 1...best + 5).allSatisfy { length($0) <= longest })
            #expect(length(best - 4) > longest && length(best + 10) > longest)
        }
        // 24 bits instead of the 40 of the absurd parameter 39.
        #expect(MissingIdentities.longestEncoding(count: 8_000_000) == 24_000_000)
    }

    @Test("a parameter out of range is refused", arguments: [40, 64, 255] as [UInt8])
    func parameters(parameter: UInt8) {
        var changed = full
        changed[7] = parameter
        #expect(throws: ListCodingError.malformed) { try before.reading(changed) }
        changed = delta
        changed[84] = parameter
        #expect(throws: ListCodingError.malformed) { try before.reading(changed) }
    }

    @Test("a delta from another version, or from a registry with another series of versions, is refused")
    func otherVersion() throws {
        guard case .delta(let change) = try ListMessage(delta) else { return #expect(Bool(false)) }
        #expect(throws: ListCodingError.otherVersion(before.version)) { try after.applying(change) }
        let twin = MissingIdentities(version: ListVersion(number: 1, mark: 5), hashes: before.hashes)
        #expect(throws: ListCodingError.otherVersion(before.version)) { try twin.applying(change) }
    }

    @Test("a delta that adds existing hashes, or starts from another list of that version, is refused")
    func unfitting() throws {
        guard case .delta(let change) = try ListMessage(delta) else { return #expect(Bool(false)) }
        let other = MissingIdentities(1, after.hashes.map(\.value))
        #expect(throws: ListCodingError.self) { try other.applying(change) }
        let shifted = MissingIdentities(1, before.hashes.map { $0.value ^ 1 })
        #expect(throws: ListCodingError.self) { try shifted.applying(change) }
    }
}
