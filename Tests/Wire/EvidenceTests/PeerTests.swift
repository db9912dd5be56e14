import Foundation
import RegistryAPI
import TestSupport
import Testing

@testable import Evidence

/// Programs that share no code with this project read its evidence packs.
@Suite("Other programs read an evidence pack")
struct PeerTests {
    private let folder: TemporaryFolder
    private let archive: String
    private let shell = BuiltProgram(path: "/bin/sh")

    init() throws {
        folder = try TemporaryFolder()
        archive = folder.file("pack.zip")
        try Data(try PackFixture.archive()).write(to: URL(fileURLWithPath: archive))
    }

    /// Unpacks the archive with Python, then runs a command in the folder with the files.
    private func afterUnpacking(_ command: String) async throws -> BuiltProgram.Result {
        try await shell.run(["-ec", "cd '\(folder.path)'; python3 -m zipfile -e pack.zip files; cd files; \(command)"])
    }

    @Test("unzip and Python accept the archive")
    func archives() async throws {
        let unzip = try await shell.run(["-c", "unzip -t '\(archive)'"])
        #expect(unzip.status == 0 && unzip.output.contains("No errors detected"), "\(unzip.errors)\(unzip.output)")
        let python = try await shell.run([
            "-c",
            """
            python3 -c 'import sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            print(len(archive.namelist()), archive.getinfo("MANIFEST").external_attr >> 16 == 0o100644)' '\(archive)'
            """,
        ])
        #expect(python.output == "17 True\n", "\(python.errors)")
    }

    @Test("sha256sum checks the manifest, and detects a changed file")
    func manifest() async throws {
        let check = try await afterUnpacking("sha256sum --strict -c MANIFEST")
        #expect(check.status == 0 && check.output.filter { $0 == "\n" }.count == 15, "\(check.errors)")
        #expect(!check.output.contains("FAILED"))
        #expect(try await afterUnpacking("echo >> bike.json; sha256sum --strict -c MANIFEST").status == 1)
    }

    @Test("openssl verifies both signatures, and computes the fingerprint")
    func signatures() async throws {
        for name in ["MANIFEST", "checkpoint"] {
            let file = name == "checkpoint" ? "checkpoint.txt" : name
            let command =
                "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in \(file) -sigfile \(name).sig"
            let result = try await afterUnpacking(command)
            #expect(result.status == 0 && result.output.contains("Verified Successfully"), "\(result.errors)")
            #expect(try await afterUnpacking("echo >> \(file); \(command)").status == 1)
        }
        let fingerprint = try await afterUnpacking("openssl pkey -pubin -in key.pem -outform DER | sha256sum")
        #expect(fingerprint.output == PackFixture.keyring.current.fingerprint + "  -\n")
    }

    @Test("Python computes the commitments and follows the chain as documented")
    func chain() async throws {
        let script = try folder.write(
            """
            import csv, hashlib, json
            def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
            links = {}
            for row in csv.DictReader(open("chain.csv")):
                previous, shortcut, commitment = (bytes.fromhex(row[n]) for n in ("previous", "shortcut", "commitment"))
                index = int(row["index"])
                links[index] = (commitment, sha(b"fmb-chain-1\\0", index.to_bytes(8, "big"), previous, shortcut, commitment))
            for entry in json.load(open("audit.json")):
                content = json.dumps(entry["event"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
                commitment = sha(b"fmb-entry-1\\0", bytes.fromhex(entry["salt"]), content.encode())
                assert commitment.hex() == entry["commitment"]
                assert links[entry["index"]] == (commitment, bytes.fromhex(entry["chain"]))
            for item in json.load(open("records.json")):
                record = json.dumps(item["record"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
                digest = sha(b"fmb-sighting-1\\0", bytes.fromhex(item["salt"]), record.encode())
                event = next(e for e in json.load(open("audit.json")) if e["index"] == item["entry"])["event"]
                assert event["details"] == {"digest": digest.hex(), "sighting": item["record"]["sighting"]}
            checkpoint = dict(line.split(" ", 1) for line in open("checkpoint.txt").read().splitlines()[1:])
            assert links[int(checkpoint["length"])][1].hex() == checkpoint["chain"]
            print("right")
            """, to: "check.py")
        let result = try await afterUnpacking("python3 '\(script)'")
        #expect(result.output == "right\n", "\(result.errors)")
    }
}
