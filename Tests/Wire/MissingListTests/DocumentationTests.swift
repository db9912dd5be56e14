import Beacons
import Foundation
import TestSupport
import Testing

@testable import MissingList

@Suite("docs/missing-list.md")
struct DocumentationTests {
    private let page: String

    init() throws { page = try String(contentsOfFile: Repository.path("docs/missing-list.md"), encoding: .utf8) }

    /// The text of a fenced block.
    private func block(_ name: String) throws -> String {
        let start = try #require(page.range(of: "```\(name)\n"))
        let end = try #require(page.range(of: "```", range: start.upperBound..<page.endIndex))
        return String(page[start.upperBound..<end.lowerBound])
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        let digits = try block(name).filter { !$0.isWhitespace }
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
    }

    private func identity(_ numbers: String) throws -> BeaconIdentity {
        try #require(BeaconIdentity("21EECF71-D5C7-4A00-9B90-27C94B5146EA:\(numbers)"))
    }

    @Test("the example is what this program writes and reads")
    func example() throws {
        let first = MissingIdentities(
            version: try #require(ListVersion("42-9f86d081884c7d65")),
            identities: [try identity("1:100"), try identity("1:101")]
        )
        #expect(first.encoded == (try bytes("full")))
        let second = MissingIdentities(
            version: try #require(ListVersion("43-60303ae22b998861")),
            identities: [try identity("1:101"), try identity("2:40000")]
        )
        #expect(second.delta(from: first).encoded == (try bytes("delta")))
        #expect(try first.reading(bytes("delta")).isSame(as: second))
    }

    @Test("the reader in Python reads what this program writes")
    func python() async throws {
        var generator = SeededGenerator(seed: 17)
        var list = MissingIdentities.random(1, count: 300, using: &generator)
        var messages = [list.encoded]
        for number in 2...9 as ClosedRange<UInt64> {
            let next = list.changed(to: number, removing: 7, adding: 9, using: &generator)
            messages.append(next.delta(from: list).encoded)
            list = next
        }
        let program =
            try block("python") + """
                import sys
                state = None
                for line in sys.stdin:
                    state = read(bytes.fromhex(line), state)
                print(state[0][0], *state[1])
                """
        let lines = messages.map { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
        let result = try await BuiltProgram(path: "/usr/bin/env").run(
            ["python3", "-c", program], input: lines.joined(separator: "\n") + "\n")
        let expected = (["9"] + list.hashes.map { "\($0.value)" }).joined(separator: " ")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == expected + "\n")
    }
}
