import Foundation
import TestSupport
import Testing

/// The output of `findmybike-registry serve --check-config` before the service is started.
@Suite("Checking the registry's settings")
struct CheckConfigTests {
    private let folder: TemporaryFolder
    private let registry: BuiltProgram

    init() throws {
        folder = try TemporaryFolder()
        registry = try BuiltProgram("findmybike-registry")
    }

    /// Runs a command with settings in which FOLDER stands for the test's folder.
    private func run(_ settings: String, _ more: String...) async throws -> BuiltProgram.Result {
        let text = settings.replacing("FOLDER", with: folder.path)
        let path = try folder.write(text, to: "registry.yaml")
        return try await registry.run(["serve", "--config", path] + more)
    }

    private func prepare() async throws {
        _ = try folder.write("no database at all, but text", to: "text.sqlite")
        _ = try folder.write("", to: "empty.sqlite")
        _ = try folder.write("secret", to: "open.key")
        let shell = try await BuiltProgram(path: "/bin/sh").run([
            "-ec",
            """
            cd '\(folder.path)'; umask 077
            for name in one other; do
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=$name \
                    -keyout $name.key -out $name.pem 2>/dev/null
            done
            echo nonsense > nonsense.key
            python3 -c "
            import sqlite3
            sqlite3.connect('foreign.sqlite').execute('CREATE TABLE other (key)')
            newer = sqlite3.connect('newer.sqlite')
            newer.execute('CREATE TABLE grdb_migrations (identifier TEXT)')
            newer.execute('INSERT INTO grdb_migrations VALUES (\\'of a newer version\\')')
            newer.commit()"
            """.replacing("            ", with: ""),
        ])
        #expect(shell.status == 0, "\(shell.errors)")
    }

    @Test(
        "settings that prevent a start are refused by the check and by the start, and the error says what to do",
        arguments: [
            ("database: FOLDER/none/registry.sqlite", "does not exist: create it"),
            ("database: FOLDER", "not a regular file"), ("database: FOLDER/text.sqlite", "not an SQLite database"),
            ("database: FOLDER/foreign.sqlite", "no tables of a registry"),
            ("database: FOLDER/newer.sqlite", "newer version"),
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
        try await prepare()
        let settings = settings.hasPrefix("database:") ? settings : "database: FOLDER/new.sqlite\n" + settings
        let before = try files()
        let check = try await run(settings, "--check-config")
        #expect(check.status != 0 && check.errors.contains(remedy), "\(check.status) \(check.errors)")
        #expect(try files() == before)
        let start = try await run(settings)
        #expect(start.status == check.status && start.errors.contains(remedy), "\(start.status) \(start.errors)")
    }

    @Test("all errors are reported at once, and valid settings change nothing")
    func several() async throws {
        try await prepare()
        let both = try await run(
            "database: FOLDER/none/a.sqlite\nevidence:\n  keyFile: FOLDER/none.key", "--check-config")
        #expect(both.status == 78 && both.errors.contains("create it") && both.errors.contains("key create"))
        let before = try files()
        for name in ["new.sqlite", "empty.sqlite"] {
            let right = try await run(
                """
                database: FOLDER/\(name)
                listen: 127.0.0.1:8080
                metrics: {listen: "127.0.0.1:8081"}
                tls: {certificate: FOLDER/one.pem, key: FOLDER/one.key}
                """, "--check-config")
            #expect(right.status == 0, "\(right.errors)")
        }
        #expect(try files() == before)
    }

    /// The names and contents of all files except the settings.
    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "registry.yaml" }
        return try names.reduce(into: [:]) { $0[$1] = try Data(contentsOf: URL(fileURLWithPath: folder.file($1))) }
    }
}
