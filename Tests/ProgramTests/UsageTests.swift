import Foundation
import Terminal
import TestSupport
import Testing

@testable import findmybike

@Suite("Mistyped command lines")
struct UsageTests {
    @Test(
        "say what was probably meant",
        arguments: [
            ("findmybike", ["bik", "list"], "Did you mean ‘findmybike bike’?"),
            ("findmybike", ["bike", "mising"], "Did you mean ‘findmybike bike missing’?"),
            ("findmybike", ["owner", "token", "lst"], "Did you mean ‘findmybike owner token list’?"),
            ("findmybike-registry", ["backpu", "x"], "Did you mean ‘findmybike-registry backup’?"),
            ("findmybike-monitor", ["enroll", "x"], "Did you mean ‘findmybike-monitor enrol’?"),
            ("findmybike", ["bike", "missing", "--since", "teatime"], "2h ago, 18:30, yesterday 18:30"),
        ])
    func meant(name: String, arguments: [String], hint: String) throws {
        let result = try BuiltProgram(name).run(arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains(hint), "\(result.errors)")
    }
}

@Suite("Exit statuses")
struct ExitStatusTests {
    @Test("the guide’s table is that of the programs")
    func guide() throws {
        let guide = try String(contentsOfFile: Repository.path("docs/guide/troubleshooting.md"), encoding: .utf8)
        #expect(guide.contains("\n" + ExitStatus.markdown + "\n"))
    }

    @Test("each status of the command line is in the table", arguments: CommandFailure.Status.allCases)
    func commandLine(status: CommandFailure.Status) { #expect(ExitStatus(rawValue: status.rawValue) != nil) }

    /// The registry’s, each from a command that fails.
    @Test(
        "a failure of the registry says what to do, without the system’s own words, and ends with a status of the table",
        arguments: [
            ("database: /etc/hostname\n", 65, "is no SQLite database"),
            ("database: /nowhere/x.sqlite\n", 73, "create it"),
            ("evidence:\n  keyFile: /nowhere/key\n", 66, "key create"),
            ("listen: 192.0.2.1:8080\n", 69, "no such address"), ("listen: no.such.host.invalid:80\n", 69, "not known"),
            ("metrics:\n  listen: 192.0.2.1:8080\n", 69, "‘metrics.listen’"),
            ("databse: x\n", 78, "did you mean ‘database’"),
        ])
    func registry(settings: String, status: Int32, hint: String) throws {
        let folder = try TemporaryFolder()
        let defaults = [("listen", "127.0.0.1:0"), ("database", folder.file("registry.sqlite"))]
            .filter { !settings.hasPrefix($0.0 + ":") }.map { "\($0.0): \($0.1)\n" }.joined()
        let path = try folder.write(defaults + settings, to: "registry.yaml")
        let result = try BuiltProgram("findmybike-registry").run(["serve", "--config", path])
        #expect(result.status == status)
        let message = result.errors.split(separator: "\n").last { $0.hasPrefix("findmybike-registry: ") } ?? ""
        #expect(message.contains(hint), "\(result.errors)")
        #expect(!message.contains("bind(") && !message.contains("SQLite error"))
        #expect(ExitStatus(rawValue: result.status) != nil)
    }
}
