import Foundation
import TestSupport
import Testing

@Suite("Evidence on the command line")
struct EvidenceCommandTests {
    private let folder: TemporaryFolder
    private let owner: BuiltProgram
    private let server: BuiltProgram

    init() throws {
        folder = try TemporaryFolder()
        owner = try BuiltProgram("findmybike")
        server = try BuiltProgram("findmybike-registry")
    }

    private var keyFile: String { folder.file("signing.key") }
    private var pack: String { folder.file("evidence.zip") }

    /// Runs the owner's program; it must succeed.
    private func run(_ arguments: [String], at url: String) async throws -> String {
        let result = try await findmybike(arguments, ["FINDMYBIKE_REGISTRY_URL": url])
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        return result.output
    }

    private func findmybike(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) async throws -> BuiltProgram.Result {
        try await owner.run(arguments, environment: ["HOME": folder.path].merging(environment) { $1 })
    }

    private func makeKey(_ verb: String...) async throws -> String {
        let result = try await server.run(["key"] + (verb.isEmpty ? ["create"] : verb) + ["--key-file", keyFile])
        try #require(result.status == 0, "\(result.errors)")
        return try #require(result.output.firstMatch(of: /fingerprint ([0-9a-f]{64})/)).output.1.description
    }

    /// Makes an operator's token and writes it to a file.
    private func makeOperator() async throws -> String {
        let result = try await server.run(["operator", "create", "--database", folder.file("registry.sqlite")])
        try #require(result.status == 0, "\(result.errors)")
        let path = try folder.write(result.output, to: "operator.token")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    @Test("an owner downloads a pack, and its verdict depends on the trusted key and on every byte")
    func evidence() async throws {
        let fingerprint = try await makeKey()
        let token = try await makeOperator()
        let registry = try await LiveRegistry(in: folder, "evidence:\n  keyFile: \(keyFile)\n")
        _ = try await run(["owner", "create"], at: registry.url)
        _ = try await run(
            ["bike", "register", "--kind", "bicycle", "--make", "Brompton", "--model", "C Line", "--colour", "green"],
            at: registry.url
        )
        _ = try await run(["bike", "missing", "--police-reference", "CRIME-7"], at: registry.url)
        #expect(try await run(["evidence", "download", "--output", pack], at: registry.url).contains(fingerprint))
        #expect(try await run(["evidence", "keys"], at: registry.url).contains(fingerprint))

        let trusted = try await findmybike(["evidence", "verify", pack, "--key", fingerprint])
        #expect(trusted.status == 0 && trusted.output.contains("The pack is what the registry signed."))
        #expect(trusted.output.contains("Brompton C Line") && trusted.output.contains("CRIME-7"))
        let untrusted = try await findmybike(["evidence", "verify", pack])
        #expect(untrusted.status == 3 && untrusted.errors.hasPrefix("findmybike: untrusted: "))
        #expect(!untrusted.output.contains("is what the registry signed"))
        let foreign = try await findmybike(["evidence", "verify", pack, "--key", String(repeating: "0", count: 64)])
        #expect(foreign.status == 65 && foreign.errors.contains("signed by another key"))
        let again = try await findmybike(
            ["evidence", "download", "--output", pack], ["FINDMYBIKE_REGISTRY_URL": registry.url]
        )
        #expect(again.status == 73)

        try await expectAudit(registry.url, token: token)
        try await expectCheckpoint(of: registry)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: pack))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: pack))
        let changed = try await findmybike(["evidence", "verify", pack, "--key", fingerprint])
        #expect(changed.status == 65 && changed.errors.contains("proves nothing"))
    }

    /// The operator reads the audit and checks it while the service runs.
    private func expectAudit(_ url: String, token: String) async throws {
        for line in try await run(["audit", "--json", "--token-file", token], at: url).split(separator: "\n") {
            #expect(line.contains("\"commitment\""))
        }
        let checkpoint = try await run(["audit", "checkpoint", "--token-file", token], at: url)
        let file = try folder.write(checkpoint, to: "checkpoint.json")
        for checkpoint in [file, pack] {
            let verified = try await server.run([
                "audit", "verify", "--config", folder.file("registry.yaml"), "--checkpoint", checkpoint,
            ])
            #expect(verified.status == 0, "\(verified.errors)")
            #expect(verified.output.contains("The audit is whole") && verified.output.contains("agrees"))
        }
        let forged = try folder.write(checkpoint.replacing("length ", with: "length 1"), to: "forged.json")
        let refused = try await server.run([
            "audit", "verify", "--config", folder.file("registry.yaml"), "--checkpoint", forged,
        ])
        #expect(refused.status == 65 && refused.errors.contains("no checkpoint signed by a key of this registry"))
    }

    /// A registry that is stopped signs the end of its audit.
    private func expectCheckpoint(of registry: LiveRegistry) async throws {
        #expect(await registry.stop().contains("audit checkpoint"))
        let verified = try await server.run(["audit", "verify", "--config", folder.file("registry.yaml"), "--json"])
        #expect(verified.status == 0, "\(verified.errors)")
        let count = try #require(verified.output.firstMatch(of: /"keptCheckpoints":(\d+)/)).output.1
        #expect(count != "0")
    }

    @Test("a registry without a key starts, says how to make one, and refuses packs")
    func noKey() async throws {
        let registry = try await LiveRegistry(in: folder)
        #expect(try await run(["evidence", "keys"], at: registry.url).contains("no key"))
    }

    @Test("keys are created once, can be rotated, and stay listed")
    func keys() async throws {
        let first = try await makeKey()
        let mode = try FileManager.default.attributesOfItem(atPath: keyFile)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await server.run(["key", "create", "--key-file", keyFile]).status == 73)
        #expect(try await server.run(["key", "rotate", "--key-file", keyFile]).errors.contains("--yes"))
        let second = try await makeKey("rotate", "--yes")
        let list = try await server.run(["key", "show", "--key-file", keyFile]).output
        #expect(list.contains(first) && list.contains(second) && list.split(separator: "\n").count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["signing.key"])
    }

    @Test("a key that is readable by others, damaged or missing prevents the registry from starting")
    func badKey() async throws {
        let settings = ["serve", "--database", folder.file("registry.sqlite"), "--listen", "127.0.0.1:0"]
        let environment = ["FINDMYBIKE_EVIDENCE_KEY_FILE": keyFile]
        let missing = try await server.run(settings, environment: environment)
        #expect(missing.status == 66 && missing.errors.contains("key create"))
        _ = try await makeKey()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: keyFile)
        let open = try await server.run(settings, environment: environment)
        #expect(open.status == 77 && open.errors.contains("chmod 600 \(keyFile)"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: keyFile))
        let broken = try await server.run(settings, environment: environment)
        #expect(broken.status == 65 && broken.errors.contains("not a key file"))
    }

    @Test(
        "a file that is not a pack is not verified",
        arguments: [("", 65), ("PK", 65), ("PK\u{3}\u{4}" + String(repeating: "A", count: 26), 65)]
            as [(String, Int32)]
    )
    func noPack(content: String, status: Int32) async throws {
        let path = try folder.write(content, to: "evidence.zip")
        let result = try await findmybike(["evidence", "verify", path])
        #expect(result.status == status && result.errors.contains("proves nothing"))
        #expect(try await findmybike(["evidence", "verify", "/nowhere/x"]).status == 66)
        #expect(try await findmybike(["evidence", "verify", path, "--key", "123"]).status == 64)
    }
}
