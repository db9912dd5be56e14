import Beacons
import Foundation
import RegistryRules
import TestSupport
import Testing

@testable import findmybike
@testable import findmybike_registry

@Suite("Rotating beacons on the command line", .timeLimit(.minutes(20)))
struct RotatingBeaconTests {
    private static let key = "000102030405060708090a0b0c0d0e0f"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func keyFile(_ text: String = key, mode: Int = 0o600) throws -> String {
        let path = try folder.write(text + "\n", to: "bike.key")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func provision(_ arguments: String..., key: String? = nil) async throws -> CommandRun {
        await FindMyBike.run(
            ["beacon", "provision", "--key-file", try key ?? keyFile(), "--output", folder.file("out")] + arguments)
    }

    @Test("lines for Espruino have the key and the time, in a file for nobody else")
    func espruino() async throws {
        let result = try await provision()
        #expect(result.status == 0 && !result.output.contains(Self.key), "\(result.errors)")
        let lines = try String(contentsOfFile: folder.file("out"), encoding: .utf8)
        #expect(lines.contains("writeJSON(\"fmb.key\",\"\(Self.key)\");") && lines.hasSuffix("load();\n"))
        let time = try #require(lines.firstMatch(of: /setTime\(Math\.max\(getTime\(\),(\d+)\)\)/)?.1)
        #expect(abs((Double(time) ?? 0) - Date().timeIntervalSince1970) < 600)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("out"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // It is not overwritten: the old one may not have been sent yet.
        #expect(try await provision().status == 73)
    }

    @Test("a record as Intel HEX has valid sums, and is at the address", arguments: ["0x10001080", "0x7f000"])
    func hex(address: String) async throws {
        #expect(try await provision("--format", "hex", "--address", address).status == 0)
        let lines = try String(contentsOfFile: folder.file("out"), encoding: .utf8).split(separator: "\n")
            .map { try #require(bytes(hex: $0.dropFirst())) }
        #expect(lines.allSatisfy { $0.reduce(0, &+) == 0 && Int($0[0]) == $0.count - 5 })
        #expect(lines.map { $0[3] } == [4, 0, 0, 1])
        let upper = lines[0][4...5].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let place = lines[1][1...2].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        #expect(upper << 16 | place == UInt32(address.dropFirst(2), radix: 16))
        let record = Array(lines[1][4..<20] + lines[2][4..<20])
        let seconds = record[24..<28].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let key = try #require(RotatingBeaconKey(hexadecimal: Self.key))
        #expect(record == key.record(beaconSeconds: seconds))
    }

    @Test("a record that crosses 64 KiB has the upper half of its address again")
    func boundary() async throws {
        #expect(try await provision("--format", "hex", "--address", "0x1000FFF8").status == 0)
        let lines = try String(contentsOfFile: folder.file("out"), encoding: .utf8).split(separator: "\n")
            .map { try #require(bytes(hex: $0.dropFirst())) }
        #expect(lines.allSatisfy { $0.reduce(0, &+) == 0 })
        var memory: [UInt32: UInt8] = [:]
        var upper: UInt32 = 0
        for line in lines {
            let place = UInt32(line[1]) << 8 | UInt32(line[2])
            if line[3] == 4 { upper = (UInt32(line[4]) << 8 | UInt32(line[5])) << 16 }
            guard line[3] == 0 else { continue }
            #expect(place + UInt32(line[0]) <= 0x1_0000)
            for (offset, byte) in line[4..<(4 + Int(line[0]))].enumerated() {
                memory[upper + place + UInt32(offset)] = byte
            }
        }
        #expect(memory.keys.min() == 0x1000_FFF8 && memory.keys.max() == 0x1001_0017 && memory.count == 32)
        #expect(IntelHex.text(of: [1, 2], at: .max - 1).hasSuffix("\n:00000001FF"))
    }

    @Test(
        "an address that is none, or leaves no room, is refused",
        arguments: ["0x+10", "0x-1", "0x", "10001080", "0xFFFFFFF0", "0x100000000"])
    func addresses(address: String) async throws {
        #expect(try await provision("--format", "hex", "--address", address).status == 64)
    }

    @Test("the file can go to standard output; the key file must be a file")
    func outputs() async throws {
        let result = await FindMyBike.run(["beacon", "provision", "--key-file", try keyFile(), "--output", "-"])
        #expect(result.status == 0 && result.output.contains(Self.key) && result.output.hasSuffix("load();\n"))
        for path in ["/dev/zero", folder.path] {
            let refused = try await provision(key: path)
            #expect(refused.status == 66, "\(refused.errors)")
        }
    }

    @Test(
        "a file with the registry’s keys is read strictly",
        arguments: [
            (String(repeating: "０", count: 64), "line 1 is not 64"), (String(repeating: "0", count: 64), "only zeros"),
            (String(repeating: "ab", count: 32) + "\n" + String(repeating: "a", count: 63), "line 2 is not 64"),
            ("\n\n", "empty"),
            (Array(repeating: String(repeating: "0c", count: 32), count: 17).joined(separator: "\n"), "16 keys"),
        ])
    func vaultFiles(text: String, flaw: String) {
        do throws(BeaconVaultFile.Flaw) {
            _ = try BeaconVaultFile.vault(text)
            Issue.record("accepted")
        } catch {
            #expect(error.description.contains(flaw))
        }
    }

    @Test("the newest key seals, and all open")
    func vaultFile() throws {
        let (old, new) = (String(repeating: "0A", count: 32), String(repeating: "bc", count: 32))
        let both = try BeaconVaultFile.vault(new + "\r\n" + old + "\n")
        let key = try #require(RotatingBeaconKey(hexadecimal: Self.key))
        let identity = BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: 4)
        for text in [old, new] {
            let vault = try BeaconVaultFile.vault(text)
            #expect(both.open(try vault.seal(key, of: identity), of: identity) == key)
        }
        #expect(try BeaconVaultFile.vault(new).open(try both.seal(key, of: identity), of: identity) == key)
    }

    @Test("a key that is shown once and could not be printed is named, with the command that makes another")
    func lostKey() async throws {
        let settings = "beacons:\n  keyFile: \(folder.path)/beacons.key\n"
        let made = await FindMyBikeRegistry.run([
            "key", "create-beacons", "--config",
            try folder.write("database: \(folder.path)/registry.sqlite\n", to: "before.yaml"), "--key-file",
            folder.file("beacons.key"),
        ])
        #expect(made.status == 0, "\(made.errors)")
        let owner = try await LiveRegistry(in: folder, settings).person("owner")
        _ = try await owner.output("owner", "create")
        var lost = [
            "bike", "register", "--rotating", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red",
        ]
        for format in [[], ["--json"]] {
            let run = await owner.run(lost + format, outputFailure: ENOSPC)
            #expect(run.status == 74 && run.errors.contains("\nfindmybike: A B has the identifier "), "\(run.errors)")
            let command = try #require(run.errors.firstMatch(of: /‘findmybike (bike beacon retire [^’]+) --key-file/))
            lost = command.output.1.split(separator: " ").map(String.init) + ["--yes"]
        }
        let retired = await owner.run(lost, outputFailure: EBADF)
        #expect(retired.status == 74, "\(retired.errors)")
        #expect(
            retired.errors.hasPrefix(
                "findmybike: standard output is closed\nfindmybike: A B has the identifier "))
        let remedy = await owner.run(lost + ["--key-file", folder.file("bike.key")])
        #expect(remedy.status == 0, "\(remedy.errors)")
        let key = try String(contentsOfFile: folder.file("bike.key"), encoding: .utf8)
        #expect(key.utf8.count == 33)
        // A code that gives a bike away names its remedy, too.
        let identifier = try #require(lost.dropFirst(3).first)
        let given = await owner.run(["bike", "transfer", identifier, "--yes"], outputFailure: ENOSPC)
        #expect(
            given.status == 74 && given.errors.contains("‘findmybike bike transfer \(identifier)’"), "\(given.errors)")
    }

    @Test("the beacon of a bike is checked, found and lost with its key file")
    func registry() async throws {
        let settings = "beacons:\n  keyFile: \(folder.path)/beacons.key\n"
        let before = try folder.write("database: \(folder.path)/registry.sqlite\n", to: "before.yaml")
        func makeKey() async -> CommandRun {
            await FindMyBikeRegistry.run([
                "key", "create-beacons", "--config", before, "--key-file", folder.file("beacons.key"),
            ])
        }
        let made = await makeKey()
        #expect(made.output.hasSuffix(settings), "\(made.output)\(made.errors)")
        var registry = try await LiveRegistry(in: folder, settings)
        var owner = registry.person("owner")
        _ = try await owner.output("owner", "create")
        let path = folder.file("new.key")
        _ = try await owner.output(
            "bike", "register", "--rotating", "--key-file", path, "--kind", "bicycle", "--make", "A", "--model", "B",
            "--colour", "red")
        let key = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let scenario = try folder.write(
            """
            name: beacon beside the bike
            duration: 20s
            beacons:
              - name: bike
                rotating: { key: "\(key)", lag: 3h }
                missing: true
                position: { x: 1, y: 0 }

            """, to: "scenario.yaml")
        let checked = await owner.run("beacon", "check", "--simulate", scenario)
        #expect(checked.output.contains("about 2 hours late") || checked.output.contains("about 3 hours late"))
        let found = try await owner.output("find", "--key-file", path, "--simulate", scenario)
        #expect(found.contains("\nHeard "), "\(found)")
        // What was recorded earlier says nothing about the clock.
        _ = try await owner.output("simulate", scenario, "--output", folder.file("old.btsnoop"))
        let old = await owner.run("beacon", "check", "--replay", folder.file("old.btsnoop"))
        #expect(old.status == 65 && old.errors.contains("just now"), "\(old.errors)")

        _ = await registry.stop()
        try FileManager.default.removeItem(atPath: folder.file("beacons.key"))
        #expect(await makeKey().status == 0)
        registry = try await LiveRegistry(in: folder, settings)
        owner = registry.person("owner")
        let missing = try await owner.output("bike", "missing")
        #expect(missing.contains("no station can hear its beacon"), "\(missing)")
        #expect(!missing.contains("every station is searching"))
        let shown = try await owner.output("bike", "show")
        #expect(shown.contains("rotating, not heard") && shown.contains("MISSING"))
        #expect(try await owner.output("bike", "list").contains("rotating, not heard"))
        #expect(await owner.run("beacon", "check", "--simulate", scenario).errors.contains("cannot read the key"))
    }

    @Test(
        "a key that is wrong, absent or not secret is refused with a remedy",
        arguments: [
            ("0123", 0o600, 65, "32 hexadecimal digits"), (key, 0o644, 77, "chmod 600"),
            (String(repeating: "0", count: 32), 0o600, 65, "32 hexadecimal digits"),
        ])
    func keys(text: String, mode: Int, status: Int32, hint: String) async throws {
        let result = try await provision(key: keyFile(text, mode: mode))
        #expect(result.status == status && result.errors.contains(hint), "\(result.errors)")
        #expect(try await provision(key: "/nonexistent").status == 66)
    }

    @Test(
        "arguments that do not fit together are refused",
        arguments: [
            ["--rotating"], [], ["--key-file", "k"], ["--slot-duration", "5s"],
            ["--rotating", "--key-file", "k", "--measured-power", "-40"],
        ])
    func usage(arguments: [String]) async {
        #expect(await FindMyBike.run(["beacon", "advertise"] + arguments).status == 64)
    }

    @Test("this machine is a rotating beacon: one identity after the other, never two at once")
    func advertise() async throws {
        let bluetooth = try await FakeBluetooth("hci0")
        try await bluetooth.setPowered()
        let beacon = try StartedProgram(
            try BuiltProgram("findmybike"),
            ["beacon", "advertise", "--rotating", "--key-file", keyFile(), "--slot-duration", "0.5s"],
            environment: bluetooth.environment)
        var seen: [String] = []
        try await eventually("four identities are sent") {
            let data = try await bluetooth.state().advertisements.map { $0.data["76"] ?? "" }
            #expect(data.count <= 1)
            if let data = data.first, seen.last != data { seen.append(data) }
            return seen.count >= 4
        }
        beacon.interrupt()
        #expect(await beacon.end().status == 0)
        #expect(try await bluetooth.state().advertisements.isEmpty)
        let key = try #require(RotatingBeaconKey(hexadecimal: Self.key))
        let now = try #require(SlotPace()?.slot(at: Date()))
        let expected = (now.advanced(by: -2)...now.advanced(by: 4096)).map { slot in
            key.frame(at: slot).manufacturerData.dropFirst(2).map { String(format: "%02x", $0) }.joined()
        }
        let places = seen.compactMap { expected.firstIndex(of: $0) }
        #expect(places.count == seen.count && places == places.sorted() && Set(seen).count == seen.count)
    }

    @Test("the slots of a beacon follow the clock, but never go back")
    func pace() throws {
        let start = Date(timeIntervalSince1970: 1_795_255_200)
        let pace = try #require(SlotPace(at: start))
        let first = pace.slot(at: start)
        #expect(first.number == 1_795_255_200 >> 10)
        let change = start + pace.untilChange(at: start) / .seconds(1)
        #expect(pace.slot(at: change) == first.advanced(by: 1))
        #expect(pace.slot(at: change - 0.02) == first)
        #expect(pace.slot(at: start - 86_400, after: first) == first)
        let trial = try #require(SlotPace(at: start, trial: .seconds(5)))
        #expect(trial.slot(at: start + 4.9) == first && trial.slot(at: start + 26) == first.advanced(by: 5))
        #expect(SlotPace(at: Date(timeIntervalSince1970: -5)) == nil)
    }
}
