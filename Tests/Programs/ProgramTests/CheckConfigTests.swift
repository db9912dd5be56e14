import Foundation
import TestSupport
import Testing

@testable import findmybike_registry

/// The output of `findmybike-registry serve --check-config` before the service is started.
@Suite("Checking the registry's settings")
struct CheckConfigTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a command with settings in which FOLDER stands for the test's folder.
    private func run(_ settings: String, _ more: String...) async throws -> CommandRun {
        let text = settings.replacing("FOLDER", with: folder.path)
        let path = try folder.write(text, to: "registry.yaml")
        return await FindMyBikeRegistry.run(["serve", "--config", path] + more)
    }

    /// Makes the files that the settings name.
    private func prepare(for settings: String) async throws {
        _ = try folder.write("no database at all, but text", to: "text.sqlite")
        _ = try folder.write("", to: "empty.sqlite")
        _ = try folder.write("secret", to: "open.key")
        let nonsense = try folder.write("nonsense\n", to: "nonsense.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: nonsense)
        if settings.contains("one.pem") {
            for name in ["one", "other"] { try await makeCertificate(name) }
        }
        let foreign = "CREATE TABLE other (key);"
        func database(ofSteps steps: String) -> String {
            "CREATE TABLE grdb_migrations (identifier TEXT); INSERT INTO grdb_migrations VALUES \(steps);"
        }
        let scripts = [
            "foreign.sqlite": foreign, "newer.sqlite": database(ofSteps: "('first'), ('of a newer version')"),
            "unreleased.sqlite": database(ofSteps: "('1'), ('displays')"),
        ]
        for (name, script) in scripts where settings.contains(name) { try await makeDatabase(name, script) }
    }

    private func makeCertificate(_ name: String) async throws {
        let made = try await BuiltProgram(path: "/usr/bin/openssl").run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
            "-subj", "/CN=\(name)", "-keyout", folder.file("\(name).key"), "-out", folder.file("\(name).pem"),
        ])
        try #require(made.status == 0, "\(made.errors)")
    }

    private func makeDatabase(_ name: String, _ script: String) async throws {
        let program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
        let made = try await BuiltProgram(path: "/usr/bin/python3").run(["-c", program, folder.file(name), script])
        try #require(made.status == 0, "\(made.errors)")
    }

    @Test(
        "settings that prevent a start are refused by the check and by the start, and the error says what to do",
        arguments: [
            ("database: FOLDER/none/registry.sqlite", "does not exist: create it"),
            ("database: FOLDER", "not a regular file"), ("database: FOLDER/text.sqlite", "not an SQLite database"),
            ("database: FOLDER/foreign.sqlite", "no tables of a registry"),
            ("database: FOLDER/newer.sqlite", "newer version"),
            ("database: FOLDER/unreleased.sqlite", "move it away"),
            ("evidence:\n  keyFile: FOLDER/none.key", "key create"),
            ("evidence:\n  keyFile: FOLDER/open.key", "chmod 600"),
            ("evidence:\n  keyFile: FOLDER/nonsense.key", "restore it from a backup"),
            ("evidence:\n  keyFile: '%d/signing.key'", "credential"),
            ("tls:\n  certificate: FOLDER/none.pem\n  key: FOLDER/one.key", "cannot be read"),
            ("tls:\n  certificate: FOLDER/one.pem\n  key: FOLDER/other.key", "does not belong"),
            ("tls:\n  certificate: FOLDER/one.pem", "together"),
            ("listen: 127.0.0.1:8080\nmetrics:\n  listen: 127.0.0.1:8080", "its own port"),
            ("listen: 127.0.0.1:8080\nmetrics:\n  listen: 0.0.0.0:8080", "its own port"),
            ("listen: 192.0.2.1:8080", "does not have this address"),
            ("metrics:\n  listen: 192.0.2.1:8080", "does not have this address"),
            ("webpush:\n  keyFile: FOLDER/none.key", "cannot be read"),
            ("map:\n  tiles:\n    file: FOLDER/none.mbtiles", "cannot be read"),
            ("map:\n  tiles:\n    file: FOLDER/foreign.sqlite", "cannot be read as MBTiles"),
            ("map:\n  tiles:\n    url: 'https://a.example/{z}/{x}/{y}'", "also needs map.attribution"),
            ("map:\n  tiles:\n    url: 'http://a.example/{z}/{x}/{y}'", "map.tiles.url"),
            (
                "map:\n  tiles:\n    url: 'https://a.example/{z}/{x}/{y}'\n    file: FOLDER/text.sqlite",
                "only one of map.tiles.url and map.tiles.file"
            ),
            (
                "publicURL: https://a.example\nmail:\n  server: smtps://a.example\n  from: a@a.example\n"
                    + "  certificateAuthority: FOLDER/none.pem", "cannot be read"
            ),
        ]
    )
    func refused(settings: String, remedy: String) async throws {
        try await prepare(for: settings)
        let settings = settings.hasPrefix("database:") ? settings : "database: FOLDER/new.sqlite\n" + settings
        let before = try files()
        let check = try await run(settings, "--check-config")
        #expect(check.status != 0 && check.errors.contains(remedy), "\(check.status) \(check.errors)")
        #expect(try files() == before)
        let start = try await run(settings)
        #expect(start.status == check.status && start.errors.contains(remedy), "\(start.status) \(start.errors)")
    }

    @Test(
        "the check warns if nobody can sign up with a browser",
        arguments: [
            ("", "alerts have no links"), ("publicURL: https://192.0.2.1\n", "a browser at https://192.0.2.1"),
            ("publicURL: http://bikes.example.org\n", "a browser at http://"),
            ("publicURL: https://bikes.example.org\n", nil),
        ] as [(String, String?)])
    func browsers(settings: String, warning: String?) async throws {
        let check = try await run("database: FOLDER/new.sqlite\nlisten: 127.0.0.1:8080\n\(settings)", "--check-config")
        #expect(check.status == 0)
        #expect(check.errors.contains("sign up") == (warning != nil), "\(check.errors)")
        if let warning { #expect(check.errors.contains(warning), "\(check.errors)") }
    }

    @Test("all errors are reported at once, and valid settings change nothing")
    func several() async throws {
        let valid = """
            listen: 127.0.0.1:8080
            metrics: {listen: "127.0.0.1:8081"}
            tls: {certificate: FOLDER/one.pem, key: FOLDER/one.key}
            """
        try await prepare(for: valid)
        let both = try await run(
            "database: FOLDER/none/a.sqlite\nevidence:\n  keyFile: FOLDER/none.key", "--check-config")
        #expect(both.status == 78 && both.errors.contains("create it") && both.errors.contains("key create"))
        let before = try files()
        for name in ["new.sqlite", "empty.sqlite"] {
            let right = try await run("database: FOLDER/\(name)\n\(valid)", "--check-config")
            #expect(right.status == 0, "\(right.errors)")
            // The certificate is for one day.
            #expect(right.errors.contains("one.pem expires on "), "\(right.errors)")
        }
        #expect(try files() == before)
    }

    @Test("a contact that Apple refuses is an error, and only a warning if it is the registry's own address")
    func contact() async throws {
        let key = folder.file("push.key")
        let settings = try folder.write("webpush:\n  keyFile: \(key)", to: "registry.yaml")
        try #require(await FindMyBikeRegistry.run(["key", "create-web-push", "--config", settings]).status == 0)
        let push = "database: FOLDER/new.sqlite\nwebpush:\n  keyFile: \(key)\n"
        for contact in ["'mailto:'", "mailto:operator@localhost", "https://localhost"] {
            let refused = try await run(push + "  contact: \(contact)", "--check-config")
            #expect(refused.status == 78 && refused.errors.contains("webpush.contact"), "\(refused.errors)")
        }
        let local = try await run(push + "publicURL: http://localhost:8080", "--check-config")
        #expect(local.status == 0 && local.errors.contains("set webpush.contact"), "\(local.errors)")
        let right = try await run(push + "publicURL: https://registry.example.org", "--check-config")
        #expect(right.status == 0 && !right.errors.contains("webpush"), "\(right.errors)")
    }

    @Test("a port that another program uses is the only error of a start")
    func port() async throws {
        let other = try ReservedPort(isTaken: true)
        let path = try folder.write(
            "listen: 127.0.0.1:\(other.number)\ndatabase: \(folder.path)/new.sqlite\nevidence:\n  keyFile: \(folder.path)/key\n",
            to: "registry.yaml")
        try #require(await FindMyBikeRegistry.run(["key", "create", "--config", path]).status == 0)
        let start = try await BuiltProgram("findmybike-registry").run(["serve", "--config", path])
        #expect(
            start.status == 69 && start.errors.contains("another program uses it"), "\(start.status) \(start.errors)")
        #expect(!start.errors.contains(" error "), "\(start.errors)")
    }

    /// The names and contents of all files except the settings.
    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "registry.yaml" }
        return try names.reduce(into: [:]) { $0[$1] = try Data(contentsOf: URL(fileURLWithPath: folder.file($1))) }
    }
}
