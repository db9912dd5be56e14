import ArgumentParser
import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import MonitorCommands
@testable import findmybike
@testable import findmybike_registry

@Suite("Mistyped command lines")
struct UsageTests {
    private static let programs: [any ConfiguredProgram.Type] = [
        FindMyBike.self, FindMyBikeRegistry.self, MonitorCommand.self,
    ]

    @Test(
        "suggest the probable command or option",
        arguments: [
            ("findmybike", ["bik", "list"], "Did you mean ‘findmybike bike’?"),
            ("findmybike", ["bike", "mising"], "Did you mean ‘findmybike bike missing’?"),
            ("findmybike", ["owner", "token", "lst"], "Did you mean ‘findmybike owner token list’?"),
            ("findmybike-registry", ["backpu", "x"], "Did you mean ‘findmybike-registry backup’?"),
            ("findmybike-monitor", ["enroll", "x"], "Did you mean ‘findmybike-monitor enrol’?"),
            ("findmybike", ["bike", "missing", "--since", "teatime"], "in quotes, as in 2h ago, 18:30, yesterday"),
            ("findmybike", ["report", "edit", "--hold-until", "30.6.2027"], "as in 2027-06-30"),
            ("findmybike", ["bike", "edit", "--insurance-ends", "30.6.2027"], "as in 2027-06-30"),
            ("findmybike", ["owner", "edit", "--quiet-hours", "22-7"], "as in 22:00-07:00"),
            ("findmybike", ["bike", "missing", "--latitude", "51,5"], "as in 51.5007"),
            ("findmybike", ["bike", "edit", "--colour", "red,black"], "repeat the option"),
            ("findmybike", ["missing"], "Did you mean ‘findmybike bike missing’?"),
            ("findmybike", ["found", "brompton"], "Did you mean ‘findmybike bike found’?"),
            ("findmybike", ["bike", "add", "x"], "Did you mean ‘findmybike bike register’?"),
            ("findmybike", ["bike", "delete"], "Did you mean ‘findmybike bike erase’?"),
            ("findmybike", ["bike", "missing", "--since", "2026-02-31"], "there is no such day"),
            ("findmybike", ["bike", "edit", "--insurance-ends", "2026-02-31"], "there is no such day"),
            (
                "findmybike", ["share", "create", "--ends", "in 3 months"],
                "expected a time such as \"in 3 days\", \"tom"
            ),
            ("findmybike", ["bike", "missing", "--since", "two days ago"], "write it as in 2h ago"),
            (
                "findmybike", ["channel", "add", "telegram", "123"],
                "‘findmybike channel add telegram’ does not exist; ‘findmybike channel add’ has webhook, email, ntfy"
            ),
            (
                "findmybike", ["partner", "suspend", "Zürich", "--quarantine-since", "tomorrow 18:30"],
                "--quarantine-since is in the future"
            ),
            (
                "findmybike", ["station", "revoke", "Café", "--yes", "--quarantine-since", "in 1 hour"],
                "--quarantine-since is in the future"
            ),
            ("findmybike-registry", ["compact"], "‘findmybike-registry’ has "),
            ("findmybike", ["report", "confirm", "01a20233", "7/26"], "give its full identifier"),
        ])
    func meant(name: String, arguments: [String], hint: String) async throws {
        let program = try #require(Self.programs.first { $0.configuration.commandName == name })
        let result = await program.run(arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains(hint), "\(result.errors)")
    }
}

@Suite("Advice in messages")
struct AdviceTests {
    private static let roots: [String: any ParsableCommand.Type] = [
        "findmybike": FindMyBike.self, "findmybike-monitor": MonitorCommand.self,
        "findmybike-registry": FindMyBikeRegistry.self,
    ]

    @Test("every command that a message names exists, with its options")
    func commands() throws {
        let sources = try FileManager.default.subpathsOfDirectory(atPath: Repository.path("Sources"))
        var commands: Set<String> = []
        for path in sources where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: Repository.path("Sources/\(path)"), encoding: .utf8)
            commands.formUnion(
                text.matches(of: #/‘(?:sudo )?(findmybike(?:-monitor|-registry)? [^’\n]*)’/#).map {
                    String($0.output.1)
                })
        }
        #expect(commands.count > 50)
        for command in commands {
            // Up to the first interpolation; ‘…’ stands for any value.
            let known = command.prefix { $0 != "\\" }.replacing("…", with: "x")
            let words = known.split(separator: " ").map(String.init)
            let root = try #require(Self.roots[words[0]])
            do {
                _ = try root.parseAsRoot(Array(words.dropFirst()))
            } catch {
                let message = root.fullMessage(for: error)
                #expect(
                    !message.contains("Unknown option") && !message.contains("nexpected argument"),
                    "\(command): \(message)")
            }
        }
    }
}

@Suite("Exit statuses")
struct ExitStatusTests {
    @Test("the guide’s table matches the programs")
    func guide() throws {
        let guide = try String(contentsOfFile: Repository.path("docs/guide/troubleshooting.md"), encoding: .utf8)
        #expect(guide.contains("\n" + ExitStatus.markdown + "\n"))
    }

    @Test(
        "a file that is not a backup, a missing folder and missing settings are refused, and the error says what to do",
        arguments: [
            (["restore", "FOLDER/text"], 65, "is not a backup"),
            (["backup", "FOLDER/none/backup.sqlite"], 73, "there is no folder"),
            (["key", "create"], 78, "--key-file"),
            (["key", "show", "--config", "FOLDER/none.yaml"], 66, "No such file"),
        ])
    func operatorsCommand(arguments: [String], status: Int32, hint: String) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("no database", to: "text")
        let database = arguments[0] == "key" ? [] : ["--database", folder.file("registry.sqlite")]
        let result = await FindMyBikeRegistry.run(
            arguments.map { $0.replacing("FOLDER", with: folder.path) } + database)
        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors.contains(hint), "\(result.errors)")
    }

    /// The statuses of the registry, each from a command that fails.
    @Test(
        "a failed registry command says what to do, without system messages, and exits with a documented status",
        arguments: [
            ("database: /etc/hostname\n", 65, "is not an SQLite database"),
            ("database: /nowhere/x.sqlite\n", 73, "create it"),
            ("evidence:\n  keyFile: /nowhere/key\n", 66, "key create"),
            ("listen: 192.0.2.1:8080\n", 69, "does not have this address"),
            ("listen: no.such.host.invalid:80\n", 69, "cannot be resolved"),
            ("metrics:\n  listen: 192.0.2.1:8080\n", 69, "‘metrics.listen’"),
            ("databse: x\n", 78, "did you mean ‘database’"),
        ])
    func registry(settings: String, status: Int32, hint: String) async throws {
        let folder = try TemporaryFolder()
        let defaults = [("listen", "127.0.0.1:0"), ("database", folder.file("registry.sqlite"))]
            .filter { !settings.hasPrefix($0.0 + ":") }.map { "\($0.0): \($0.1)\n" }.joined()
        let path = try folder.write(defaults + settings, to: "registry.yaml")
        let result = await FindMyBikeRegistry.run(["serve", "--config", path])
        #expect(result.status == status)
        let message = result.errors.split(separator: "\n").last { $0.hasPrefix("findmybike-registry: ") } ?? ""
        #expect(message.contains(hint), "\(result.errors)")
        #expect(!message.contains("bind(") && !message.contains("SQLite error"))
        #expect(ExitStatus(rawValue: result.status) != nil)
    }
}
