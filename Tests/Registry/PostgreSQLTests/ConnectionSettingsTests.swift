import CPostgreSQL
import Glibc
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("Settings of a connection to PostgreSQL")
struct ConnectionSettingsTests {
    @Test("several hosts with ports, an IPv6 address and encoded characters are read")
    func severalHosts() throws {
        let settings = try ConnectionSettings(
            "postgresql://bike%40s@a:5433,b.example,[2001:db8::1]:6000/find%2Fbike"
                + "?sslmode=verify-full&sslrootcert=/c%20a.crt")
        #expect(settings.hosts.map(\.name) == ["a", "b.example", "2001:db8::1"])
        #expect(settings.hosts.map(\.port) == [5433, 5432, 6000])
        #expect(settings.user == "bike@s")
        #expect(settings.database == "find/bike")
        #expect(settings.files == [.rootCertificate: "/c a.crt"])
        #expect(try ConnectionSettings(settings.description) == settings)
    }

    @Test("the folder of a Unix socket is given as an option or encoded as the host")
    func sockets() throws {
        let option = try ConnectionSettings("postgresql://u@/db?host=/run/postgresql,/tmp/b&port=5432,6000")
        #expect(option.hosts == [.init(name: "/run/postgresql", port: 5432), .init(name: "/tmp/b", port: 6000)])
        #expect(try ConnectionSettings(option.description) == option)
        let host = try ConnectionSettings("postgresql://u@%2Frun%2Fpostgresql/db")
        #expect(host.hosts == [.init(name: "/run/postgresql", port: 5432)])
        #expect(try ConnectionSettings("postgresql:///db").hosts == host.hosts)
    }

    @Test(
        "an invalid URL is refused with a remedy",
        arguments: [
            ("http://a/db", "postgresql://"), ("postgresql://u@localhost", "no database"),
            ("postgresql://u:hunter2@localhost/db", "passfile"),
            ("postgresql://u@localhost/db?password=hunter2", "passfile"),
            ("postgresql://u:hunter2/3@localhost/db", "passfile"),
            ("postgresql://u@::1/db", "brackets"), ("postgresql://u@[::1/db", "closing bracket"),
            ("postgresql://u@localhost:0/db", "port"), ("postgresql://u@localhost:70000/db", "port"),
            ("postgresql://u@localhost:+1/db", "port"), ("postgresql://u@a%2Cb/db", "not a host"),
            ("postgresql://u@a,,b/db", "not a host"), ("postgresql://u@localhost/db?options=-cfsync%3Doff", "options"),
            ("postgresql://u@localhost/db?connect_timeout=3", "connect_timeout"), ("postgresql://u@a/db", "sslmode"),
            ("postgresql://u@127.0.0.1.example/db", "sslmode"),
            ("postgresql://u@a/db?sslmode=prefer", "sslmode"), ("postgresql://u@a/db?sslmode=verify-ca", "sslrootcert"),
            ("postgresql://u@localhost/db?sslcert=/a", "sslkey"),
            ("postgresql://u@localhost/db?passfile=a", "absolute"),
            ("postgresql://u@localhost/d%00b", "control character"), ("postgresql://u@localhost/d%FFb", "UTF-8"),
            ("postgresql://u@localhost/d%4", "hexadecimal"), ("postgresql://u@localhost/db?host=/a", "twice"),
            ("postgresql://u@/db?host=/a,/b&port=1,2,3", "3 ports"),
            ("postgresql://u@localhost/db?sslmode=disable&sslmode=require", "twice"),
            ("postgresql://@localhost/db", "user"),
        ])
    func invalid(url: String, word: String) throws {
        let error = #expect(throws: ConnectionSettings.Invalid.self) { try ConnectionSettings(url) }
        #expect(error?.description.contains(word) == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test("libpq is given every option that it would read from the environment or the home folder")
    func everyOption() throws {
        let settings = try ConnectionSettings("postgresql://u@localhost/db")
        let text = try settings.connectionString(for: settings.hosts[0])
        let options = try #require(PQconninfoParse("", nil))
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let name = String(cString: keyword)
            let hasDefault = option.pointee.compiled.map { $0.pointee != 0 } == true
            if option.pointee.envvar != nil, hasDefault { #expect(text.contains("\(name)='")) }
            option += 1
        }
        for name in ["password", "passfile", "hostaddr", "sslcert", "sslkey", "sslrootcert", "sslcrl", "options"] {
            #expect(text.contains("\(name)='"))
        }
    }

    @Test("the environment of libpq is ignored")
    func environment() async throws {
        let url = try await PostgreSQLCluster.shared().database()
        let wrong = [
            "PGHOST": "/nonexistent", "PGPORT": "1", "PGDATABASE": "wrong", "PGUSER": "wrong", "PGPASSWORD": "wrong",
            "PGOPTIONS": "-c search_path=wrong", "PGTZ": "Asia/Tokyo", "PGSSLMODE": "verify-full",
            "PGHOSTADDR": "192.0.2.1", "PGCLIENTENCODING": "LATIN1", "PGAPPNAME": "wrong",
            "PGTARGETSESSIONATTRS": "standby", "PGREQUIREPEER": "wrong",
        ]
        // A process of its own: setenv(3) beside other threads is undefined.
        let result = try await BuiltProgram(path: "/proc/\(getpid())/exe").run(
            ["--testing-library", "swift-testing", "--filter", "ConnectionSettingsTests/probe"],
            environment: wrong.merging(["FINDMYBIKE_PROBE_URL": url]) { $1 })
        #expect(result.status == 0, "\(result.output) \(result.errors)")
        #expect((result.output + result.errors).contains("probed"))
    }

    @Test(
        "the environment’s probe, which the test of the environment runs",
        .enabled(if: getenv("FINDMYBIKE_PROBE_URL") != nil))
    func probe() async throws {
        let url = try #require(getenv("FINDMYBIKE_PROBE_URL").map { String(cString: $0) })
        try await onThread {
            let row = try open(url).rows(
                "SELECT current_setting('TimeZone'), current_setting('search_path'), current_setting('application_name')"
            ) { row in (0..<3).map { row.text($0) } }
            #expect(row == [["UTC", "\"$user\", public", "findmybike-registry"]])
        }
        print("probed")
    }

    @Test("a password file that others may read is refused")
    func passwordFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("*:*:*:*:hunter2\n", to: "passwords")
        try #require(chmod(path, 0o644) == 0)
        let settings = try ConnectionSettings("postgresql://u@localhost/db?passfile=\(path)")
        let error = try failure { _ = try settings.connectionString(for: settings.hosts[0]) }
        #expect(error.kind == .unavailable)
        #expect(error.message.contains("chmod 600"))
        try #require(chmod(path, 0o600) == 0)
        _ = try settings.connectionString(for: settings.hosts[0])
    }
}
