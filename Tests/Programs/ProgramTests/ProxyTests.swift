import Foundation
import TestSupport
import Testing

/// Requests from a waiting station for the missing list, through proxies configured as documented and with the real
/// durations: the documented wait is 50 s, and nginx ends requests after 60 s. The registry is a program of its own,
/// because other tests can hold up this one for longer than those 10 s.
@Suite("Behind a proxy, as documented", .timeLimit(.minutes(10)))
struct ProxyTests {
    /// The documented default of `list.wait`, in seconds.
    private static func documentedWait() throws -> Int {
        let row = try page("docs/configuration.md").split(separator: "\n").first { $0.hasPrefix("| `list.wait` |") }
        let cell = try #require(row?.split(separator: "|").dropFirst(2).first)
        return try #require(Int(cell.filter(\.isNumber)))
    }

    private static func page(_ path: String) throws -> String {
        try String(contentsOfFile: Repository.path(path), encoding: .utf8)
    }

    /// The text between a line and the line that ends the block.
    private static func block(_ path: String, from start: String, to end: String) throws -> String {
        let page = try page(path)
        let begin = try #require(page.range(of: "\n\(start)\n")).upperBound
        let stop = try #require(page.range(of: "\n\(end)\n", range: begin..<page.endIndex)).lowerBound
        return String(page[begin..<stop])
    }

    @Test("nginx delivers the response to a waiting station within its default timeout")
    func nginx() async throws {
        try await expect(304, afterSeconds: try Self.documentedWait()) { try Self.startNginx($0, port: $1, folder: $2) }
    }

    @Test("nginx ends a request that waits longer than its timeout")
    func nginxCuts() async throws {
        try await expect(504, afterSeconds: 300) {
            try Self.startNginx($0, port: $1, folder: $2, "proxy_read_timeout 1s;")
        }
    }

    private static func startNginx(
        _ registry: String, port: Int, folder: TemporaryFolder, _ settings: String = ""
    ) throws -> StartedProgram {
        let documented = try block("docs/operation.md", from: "```nginx", to: "```")
        let server = documented.replacing("listen 443 ssl;", with: "listen 127.0.0.1:\(port);")
            .replacing("127.0.0.1:8080", with: registry)
        #expect(server != documented)
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.file($0));" }
        let configuration = """
            daemon off; master_process off; user root; pid \(folder.file("pid")); error_log stderr;
            events {}
            http {
            access_log off; \(temporary.joined(separator: " "))
            \(settings)
            \(server)
            }
            """
        return try StartedProgram(
            BuiltProgram(path: "/usr/sbin/nginx"),
            ["-e", "stderr", "-p", folder.file(""), "-c", try folder.write(configuration, to: "nginx.conf")])
    }

    @Test("Caddy delivers the response to a waiting station")
    func caddy() async throws {
        try await expect(304, afterSeconds: try Self.documentedWait()) { registry, port, folder in
            let documented = try Self.block(
                "docs/guide/operator.md", from: "$ sudo tee -a /etc/caddy/Caddyfile <<END", to: "END")
            let site = documented.replacing("registry.example.org", with: "http://127.0.0.1:\(port)")
                .replacing("127.0.0.1:8080", with: registry)
            #expect(site != documented)
            let file = try folder.write("{\nadmin off\n}\n" + site, to: "Caddyfile")
            return try StartedProgram(
                BuiltProgram(path: "/usr/bin/caddy"), ["run", "--config", file, "--adapter", "caddyfile"],
                environment: ["HOME": folder.file(""), "XDG_DATA_HOME": folder.file("data")])
        }
    }

    /// Checks the response through a proxy to a station that waits for this long while nothing changes.
    private func expect(
        _ status: Int, afterSeconds wait: Int,
        _ start: (_ registry: String, _ port: Int, TemporaryFolder) throws -> StartedProgram
    ) async throws {
        let folder = try TemporaryFolder()
        let port = try ReservedPort().number
        let operatorToken = try await LiveRegistry.newOperator(in: folder)
        let registry = try await StartedRegistry(in: folder)
        let token = try await Self.newStation(registry, operatorToken, folder.file("station-token"))
        let proxy = try start(String(registry.url.dropFirst("http://".count)), port, folder)
        func ask(_ headers: String..., retries: Int = 0) async throws -> (status: Int, body: String) {
            let result = try await BuiltProgram(path: "/usr/bin/curl").run(
                [
                    "--silent", "--retry", "\(retries)", "--retry-connrefused", "--retry-delay", "1", "--max-time",
                    "120", "--include", "--oauth2-bearer", token, "http://127.0.0.1:\(port)/v1/missing",
                ] + headers.flatMap { ["--header", $0] })
            let words = result.output.split(separator: " ", maxSplits: 2)
            return (words.count > 1 ? Int(words[1]) ?? 0 : 0, result.output)
        }
        let first = try await ask(retries: 30)
        try proxy.requireRunning()
        let tag = try #require(first.body.firstMatch(of: /(?i)etag: (.*)\r\n/), "\(first.body)").output.1
        let answer = try await ask("If-None-Match: \(tag)", "Prefer: wait=\(wait)")
        #expect(answer.status == status, "\(answer.body)")
        proxy.interrupt()
        _ = await proxy.end()
        _ = await registry.stop()
    }

    private static func newStation(
        _ registry: StartedRegistry, _ operatorToken: String, _ file: String
    ) async throws -> String {
        let chief = registry.person("operator")
        _ = try await chief.output("login", registry.url, input: operatorToken)
        _ = try await chief.output(
            "station", "enrol", "--name", "Café", "--latitude", "48.25", "--longitude", "-3.5", "--output", file)
        return try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
