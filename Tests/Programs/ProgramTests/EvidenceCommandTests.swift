import Foundation
import TestSupport
import Testing

@testable import findmybike
@testable import findmybike_registry

@Suite("Evidence on the command line")
struct EvidenceCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var keyFile: String { folder.file("signing.key") }
    private var pack: String { folder.file("evidence.zip") }

    private func verify(_ pack: String, _ options: String...) async -> CommandRun {
        await FindMyBike.run(["evidence", "verify", pack] + options)
    }

    private func key(_ arguments: String...) async -> CommandRun {
        await FindMyBikeRegistry.run(["key"] + arguments + ["--key-file", keyFile])
    }

    /// Makes a key, or another one, and returns its fingerprint.
    private func makeKey(_ rotation: String...) async throws -> String {
        let run = await FindMyBikeRegistry.run(
            ["key"] + (rotation.isEmpty ? ["create"] : rotation) + ["--key-file", keyFile])
        try #require(run.status == 0, "\(run.errors)")
        return try #require(run.output.firstMatch(of: /fingerprint ([0-9a-f]{64})/)).output.1.description
    }

    /// Checks the audit in a process of its own, because a registry may be running.
    private func verifyAudit(_ options: String...) async throws -> BuiltProgram.Result {
        try await BuiltProgram("findmybike-registry").run(
            ["audit", "verify", "--config", folder.file("registry.yaml")] + options)
    }

    @Test("an owner downloads a pack, and its verdict depends on the trusted key and on every byte")
    func evidence() async throws {
        let fingerprint = try await makeKey()
        let token = try await LiveRegistry.newOperator(in: folder)
        let registry = try await LiveRegistry(in: folder, "evidence:\n  keyFile: \(keyFile)\n")
        let (owner, chief) = (registry.person("owner"), registry.person("operator"))
        try await owner.becomeOwner()
        _ = try await chief.output("login", registry.url, input: token)
        _ = try await owner.output("bike", "missing", "--police-reference", "CRIME-7")
        #expect(try await owner.output("evidence", "download", "--output", pack).contains(fingerprint))
        #expect(try await owner.output("evidence", "keys").contains(fingerprint))

        let trusted = await verify(pack, "--key", fingerprint)
        #expect(trusted.status == 0 && trusted.output.contains("The pack is what the registry signed."))
        #expect(trusted.output.contains("A B") && trusted.output.contains("CRIME-7"))
        let untrusted = await verify(pack)
        #expect(untrusted.status == 3 && untrusted.errors.hasPrefix("findmybike: untrusted: "))
        #expect(!untrusted.output.contains("is what the registry signed"))
        let foreign = await verify(pack, "--key", String(repeating: "0", count: 64))
        #expect(foreign.status == 65 && foreign.errors.contains("signed by another key"))
        #expect(await owner.run("evidence", "download", "--output", pack).status == 73)

        try await expectAudit(readBy: chief)
        try await expectCheckpoint(of: registry)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: pack))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: pack))
        let changed = await verify(pack, "--key", fingerprint)
        #expect(changed.status == 65 && changed.errors.contains("proves nothing"))
    }

    /// The operator reads the audit and checks it while the service runs.
    private func expectAudit(readBy chief: Person) async throws {
        for line in try await chief.output("audit", "--json").split(separator: "\n") {
            #expect(line.contains("\"commitment\""))
        }
        let checkpoint = try await chief.output("audit", "checkpoint")
        let file = try folder.write(checkpoint, to: "checkpoint.json")
        for checkpoint in [file, pack] {
            let verified = try await verifyAudit("--checkpoint", checkpoint)
            #expect(verified.status == 0, "\(verified.errors)")
            #expect(verified.output.contains("The audit is whole") && verified.output.contains("agrees"))
        }
        let forged = try folder.write(checkpoint.replacing("length ", with: "length 1"), to: "forged.json")
        let refused = try await verifyAudit("--checkpoint", forged)
        #expect(refused.status == 65 && refused.errors.contains("no checkpoint signed by a key of this registry"))
    }

    /// A registry that is stopped signs the end of its audit.
    private func expectCheckpoint(of registry: LiveRegistry) async throws {
        #expect(await registry.stop().contains("audit checkpoint"))
        let verified = try await verifyAudit("--json")
        #expect(verified.status == 0, "\(verified.errors)")
        let count = try #require(verified.output.firstMatch(of: /"keptCheckpoints":(\d+)/)).output.1
        #expect(count != "0")
    }

    @Test("a registry without a key starts, says how to make one, and refuses packs")
    func noKey() async throws {
        let registry = try await LiveRegistry(in: folder)
        #expect(try await registry.person("owner").output("evidence", "keys").contains("no key"))
    }

    @Test("keys are created once, can be rotated, and stay listed")
    func keys() async throws {
        let first = try await makeKey()
        let mode = try FileManager.default.attributesOfItem(atPath: keyFile)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(await key("create").status == 73)
        #expect(await key("rotate").errors.contains("--yes"))
        let second = try await makeKey("rotate", "--yes")
        let list = await key("show").output
        #expect(list.contains(first) && list.contains(second) && list.split(separator: "\n").count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["signing.key"])
    }

    @Test("a key that is readable by others, damaged or missing prevents the registry from starting")
    func badKey() async throws {
        func serve() async -> CommandRun {
            await FindMyBikeRegistry.run(
                ["serve", "--database", folder.file("registry.sqlite"), "--listen", "127.0.0.1:0"],
                variables: ["FINDMYBIKE_EVIDENCE_KEY_FILE": keyFile])
        }
        let missing = await serve()
        #expect(missing.status == 66 && missing.errors.contains("key create"))
        _ = try await makeKey()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: keyFile)
        let open = await serve()
        #expect(open.status == 77 && open.errors.contains("chmod 600 \(keyFile)"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: keyFile))
        let broken = await serve()
        #expect(broken.status == 65 && broken.errors.contains("not a key file"))
    }

    @Test(
        "a file that is not a pack is not verified",
        arguments: [("", 65), ("PK", 65), ("PK\u{3}\u{4}" + String(repeating: "A", count: 26), 65)]
            as [(String, Int32)]
    )
    func noPack(content: String, status: Int32) async throws {
        let path = try folder.write(content, to: "evidence.zip")
        let result = await verify(path)
        #expect(result.status == status && result.errors.contains("proves nothing"))
        #expect(await verify("/nowhere/x").status == 66)
        #expect(await verify(path, "--key", "123").status == 64)
    }
}
