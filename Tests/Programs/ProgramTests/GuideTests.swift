import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import MonitorCommands
@testable import findmybike
@testable import findmybike_registry

@Suite("The documentation")
struct GuideTests {
    private func python(_ script: String, _ arguments: [String]) async throws -> BuiltProgram.Result {
        let path = try #require(Bundle.module.path(forResource: script, ofType: "py", inDirectory: "Fixtures"))
        return try await BuiltProgram(path: "/usr/bin/env").run(["python3", path] + arguments)
    }

    @Test(
        "the commands on a page work as written and print what the page shows",
        .timeLimit(.minutes(20)),
        arguments: [
            "README.md", "docs/guide/api.md", "docs/guide/beacons.md", "docs/guide/operator.md", "docs/guide/owner.md",
            "docs/guide/partners.md", "docs/guide/troubleshooting.md", "docs/guide/venue.md",
        ])
    func runs(page: String) async throws {
        let programs = try BuiltProgram("findmybike").folder
        let result = try await python("guide", [Repository.path(""), programs, page])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("every link has a target")
    func links() async throws {
        let result = try await python("links", [Repository.path("")])
        #expect(result.status == 0, "\(result.errors)")
    }

    private static let roots: [String: any ParsableCommand.Type] = [
        "findmybike": FindMyBike.self, "findmybike-monitor": MonitorCommand.self,
        "findmybike-registry": FindMyBikeRegistry.self,
    ]

    @Test("every documented command line is accepted by its program")
    func calls() throws {
        let pages = try FileManager.default.subpathsOfDirectory(atPath: Repository.path("docs"))
            .filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
        for page in pages + ["README.md"] {
            let text = try String(contentsOfFile: Repository.path(page), encoding: .utf8)
            for line in Self.commandLines(in: text) {
                let words = ShellWords.split(line.replacing("$since", with: "2026-11-21T08:00:00Z"))
                let root = try #require(Self.roots[words[0]])
                #expect(throws: Never.self, "\(page): \(line)") { _ = try root.parseAsRoot(Array(words[1...])) }
            }
        }
    }

    /// The lines in command blocks that begin with a program, optionally after a prompt and sudo.
    private static func commandLines(in text: String) -> [String] {
        var lines: [String] = []
        for block in text.matches(of: #/(?ms)^```(?:sh|console)\n(.*?)^```$/#) {
            let joined = block.output.1.replacing("\\\n", with: " ")
            for line in joined.split(separator: "\n") {
                let command = line.trimmingPrefix(#/(\$ )?(sudo (-u \S+ )?)?/#)
                if command.prefixMatch(of: #/findmybike(-monitor|-registry)? /#) != nil {
                    lines.append(String(command))
                }
            }
        }
        return lines
    }
}
