import Foundation
import TestSupport
import Testing

@testable import findmybike

@Suite("Errors of the command line")
struct FailureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: [String], _ variables: [String: String] = [:]) async -> CommandRun {
        await FindMyBike.run(arguments, variables: ["HOME": folder.path].merging(variables) { $1 })
    }

    @Test(
        "an error is one line that says what to do, with an exit status from sysexits",
        arguments: [
            (["scan", "--replay", "/nowhere/x.btsnoop"], 66, "No such file"),
            (["scan", "--replay", "/etc/passwd"], 65, "not a btsnoop capture"),
            (["scan", "--simulate", "/etc/passwd"], 65, "/etc/passwd"),
            (["scan", "--replay", "/etc/passwd", "--capture", "/nowhere/x"], 73, "cannot create"),
            (["scan", "--simulate", "/nowhere/x.yaml"], 66, "No such file"),
            (["simulate", "/nowhere/x.yaml"], 66, "No such file"),
            (["bike", "list", "--config", "/nowhere/x.yaml"], 66, "No such file"),
            (["operator", "create", "Ada", "--output", "/nowhere/x.token"], 73, "there is no folder /nowhere"),
            (["bike", "list", "--registry", "https://registry.example"], 78, "findmybike login"),
            (["owner", "create"], 78, "FINDMYBIKE_REGISTRY_URL"),
            (["owner", "create", "--registry", "http://registry.example"], 78, "use https"),
            (["owner", "create", "--registry", "http://127.0.0.1:1"], 69, "cannot be reached"),
            (["owner", "create", "--registry", "nonsense"], 78, "http or https URL"),
        ] as [([String], Int32, String)]
    )
    func oneLine(arguments: [String], status: Int32, hint: String) async throws {
        let result = await run(arguments)
        expect(result.status, result.output, result.errors, status, hint)
    }

    private func expect(_ status: Int32, _ output: String, _ errors: String, _ expected: Int32, _ hint: String) {
        #expect(status == expected)
        #expect(errors.contains(hint), "\(errors)")
        #expect(errors.hasPrefix("findmybike: "))
        #expect(errors.filter { $0 == "\n" }.count == 1)
        #expect(output.isEmpty)
    }

    /// In processes of their own: the bus’s address is the process’s.
    @Test(
        "without bluetoothd, the error leads to the doctor",
        arguments: [
            ["scan"], ["find", "--identity", "21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:100"],
            ["beacon", "advertise", "21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:100"],
        ])
    func noBus(arguments: [String]) async throws {
        let result = try await BuiltProgram("findmybike").run(
            arguments,
            environment: ["HOME": folder.path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"])
        expect(result.status, result.output, result.errors, 69, "findmybike doctor")
    }

    @Test(
        "wrong usage ends with status 64",
        arguments: [
            ["scan", "--replay", "a", "--simulate", "b"], ["scan", "--replay", "a", "--adapter", "hci0"],
            ["scan", "--speed", "2"], ["scan", "--speed", "0"], ["scan", "--duration", "-1s"], ["bike", "register"],
            ["find", "brompton", "--identity", "21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:100"],
            ["beacon", "advertise", "nonsense"],
            ["beacon", "advertise", "21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:100", "--measured-power", "0"],
        ])
    func usage(arguments: [String]) async {
        #expect(await run(arguments).status == 64)
    }

    @Test("a mistyped variable is warned about once, with a suggestion")
    func variable() async throws {
        let result = await run(
            ["status"], ["FINDMYBIKE_TOKENFILE": "x", "FINDMYBIKE_URL": "y", "FINDMYBIKE_STATE": "z"])
        #expect(result.errors.components(separatedBy: "did you mean FINDMYBIKE_TOKEN_FILE?").count == 2)
        #expect(result.errors.contains("did you mean FINDMYBIKE_REGISTRY_URL?"), "\(result.errors)")
        #expect(!result.errors.contains("FINDMYBIKE_STATE"))
    }

    @Test("a refused connection is reported without library jargon")
    func plainWords() async throws {
        let result = await run(["owner", "create", "--registry", "http://127.0.0.1:1"])
        #expect(result.errors.contains("nothing answers") && !result.errors.contains("curl"), "\(result.errors)")
    }

    @Test("a registry that cannot be reached is named, with what named it")
    func unreachable() async throws {
        let url = "http://127.0.0.1:1"
        let option = await run(["owner", "create", "--registry", url])
        #expect(option.errors.contains("the registry \(url) (from the command line) cannot"), "\(option.errors)")
        let variable = await run(["owner", "create"], ["FINDMYBIKE_REGISTRY_URL": url])
        #expect(variable.errors.contains("\(url) (from FINDMYBIKE_REGISTRY_URL) cannot"), "\(variable.errors)")
        let path = try folder.write("registry:\n  url: \(url)\n", to: "config.yaml")
        let file = await run(["owner", "create", "--config", path])
        #expect(file.errors.contains("\(url) (from \(path)) cannot"), "\(file.errors)")
    }

    @Test("a change whose response is lost may have been made")
    func lostResponse() async throws {
        let registry = try PythonPeer(Repository.path("Tests/Wire/RegistryClientTests/Fixtures/registry.py"))
        let result = await run(["owner", "recover", "7KQ2M", "--registry", "http://127.0.0.1:\(registry.port)"])
        #expect(result.status == 69 && result.errors.contains("may have been made"), "\(result.errors)")
        #expect(!result.errors.contains("cannot be reached"))
    }

    @Test("a token that others can read is refused, and the error says what to do")
    func openToken() async throws {
        let path = try folder.write("secret", to: "token")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let result = await run(["bike", "list", "--registry", "https://registry.example", "--token-file", path])
        #expect(result.status == 77)
        #expect(result.errors.contains("chmod 600 \(path)"))
    }

    @Test("an owner’s token is never overwritten")
    func keepsToken() async throws {
        let path = try folder.write("precious", to: "token")
        let result = await run(["owner", "create", "--registry", "http://127.0.0.1:1", "--token-file", path])
        #expect(result.status == 73)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }

    @Test("an error in the settings file is reported with its line")
    func settings() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.file(".config/findmybike"), withIntermediateDirectories: true
        )
        _ = try folder.write("registry:\n  uri: https://a\n", to: ".config/findmybike/config.yaml")
        let result = await run(["bike", "list"])
        #expect(result.status == 78)
        #expect(result.errors.contains("config.yaml:2: unknown key ‘registry.uri’"))
    }
}
