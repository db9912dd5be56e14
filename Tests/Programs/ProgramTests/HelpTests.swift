import ArgumentParser
import Testing

@testable import MonitorCommands
@testable import findmybike
@testable import findmybike_registry

@Suite("Help")
struct HelpTests {
    /// A command that performs an action, with the words that call it.
    struct Command: CustomTestStringConvertible, Sendable {
        let words: [String]
        let type: any ParsableCommand.Type
        let root: any ParsableCommand.Type

        var testDescription: String { words.joined(separator: " ") }
        var program: String { words[0] }

        /// The lines of the command's help that call its program.
        var examples: [String] {
            type.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
                .map { $0.drop { $0 == " " } }
                .filter { $0.hasPrefix("\(program) ") || $0.hasPrefix("sudo ") }
                .map(String.init)
        }
    }

    static let commands =
        leaves(of: FindMyBike.self) + leaves(of: MonitorCommand.self) + leaves(of: FindMyBikeRegistry.self)

    private static func leaves(of root: any ParsableCommand.Type) -> [Command] {
        func walk(_ type: any ParsableCommand.Type, _ before: [String]) -> [Command] {
            let name = type.configuration.commandName ?? "\(type)".lowercased()
            let words = before + [name]
            let below = type.configuration.subcommands.flatMap { walk($0, words) }
            let does = below.isEmpty || type == MonitorCommand.self
            return (does ? [Command(words: words, type: type, root: root)] : []) + below
        }
        return walk(root, [])
    }

    @Test("each command shows an example that it accepts", arguments: commands)
    func examples(command: Command) throws {
        var understood: [any ParsableCommand.Type] = []
        for example in command.examples {
            let words = ShellWords.split(example)
            let start = try #require(words.lastIndex(of: command.program))
            #expect(throws: Never.self, "\(example)") {
                understood.append(type(of: try command.root.parseAsRoot(Array(words[(start + 1)...]))))
            }
        }
        #expect(understood.contains { $0 == command.type }, "\(command.words) has no example")
    }

    /// The commands that print no JSON, or only JSON.
    private static let withoutJSON: Set<String> = [
        // A service, which only logs.
        "findmybike-registry serve",
        // Always JSON.
        "findmybike owner export", "findmybike audit checkpoint", "findmybike audit checkpoints",
        // A service too; --summary json prints the result of a simulation as JSON.
        "findmybike-monitor",
        // Services, whose results are in a file for people.
        "findmybike-monitor card apply", "findmybike-monitor card enrol",
        // It becomes the monitor.
        "findmybike-monitor container",
        // A script for a shell.
        "findmybike completion",
        // A live display for use while walking.
        "findmybike find",
    ]

    @Test("each command that shows something can print JSON", arguments: commands)
    func json(command: Command) {
        let help = command.root.helpMessage(for: command.type, columns: 1000)
        #expect(help.contains("--json") != Self.withoutJSON.contains(command.testDescription))
    }

    @Test("an example is split as a shell splits it")
    func splits() {
        #expect(ShellWords.split("a \"b c\" --d e > f") == ["a", "b c", "--d", "e"])
    }
}
