import Beacons
import Foundation
import Registry
import TestSupport
import Testing

@testable import findmybike
@testable import findmybike_registry

@Suite("Rotating beacons on the command line", .timeLimit(.minutes(20)))
struct RotatingBeaconTests {
    private static let key = "000102030405060708090a0b0c0d0e0f"
    private let program: BuiltProgram
    private let folder: TemporaryFolder

    init() throws {
        program = try BuiltProgram("findmybike")
        folder = try TemporaryFolder()
    }

    private func keyFile(_ text: String = key, mode: Int = 0o600) throws -> String {
        let path = try folder.write(text + "\n", to: "bike.key")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func provision(_ arguments: String..., key: String? = nil) async throws -> BuiltProgram.Result {
        try await program.run(
            ["beacon", "provision", "--key-file", key ?? keyFile(), "--output", folder.file("out")] + arguments)
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
        let result = try await program.run(["beacon", "provision", "--key-file", keyFile(), "--output", "-"])
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

    @Test("the beacon of a bike is checked, found and lost with its key file")
    func registry() async throws {
        let server = try BuiltProgram("findmybike-registry")
        let settings = "beacons:\n  keyFile: \(folder.path)/beacons.key\n"
        let before = try folder.write("database: \(folder.path)/registry.sqlite\n", to: "before.yaml")
        let made = try await server.run([
            "key", "create-beacons", "--config", before, "--key-file", folder.file("beacons.key"),
        ])
        #expect(made.output.hasSuffix(settings), "\(made.output)\(made.errors)")
        var registry = try await LiveRegistry(in: folder, settings)
        func run(_ arguments: String...) async throws -> BuiltProgram.Result {
            try await program.run(
                arguments, environment: ["HOME": folder.file("owner"), "FINDMYBIKE_REGISTRY_URL": registry.url])
        }
        #expect(try await run("owner", "create").status == 0)
        let path = folder.file("new.key")
        let registered = try await run(
            "bike", "register", "--rotating", "--key-file", path, "--kind", "bicycle", "--make", "A", "--model", "B",
            "--colour", "red")
        #expect(registered.status == 0, "\(registered.errors)")
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
        let checked = try await run("beacon", "check", "--simulate", scenario)
        #expect(checked.output.contains("about 2 hours late") || checked.output.contains("about 3 hours late"))
        let found = try await run("find", "--key-file", path, "--simulate", scenario)
        #expect(found.status == 0 && found.output.contains("\nHeard "), "\(found.output)\(found.errors)")
        // What was recorded earlier says nothing about the clock.
        _ = try await run("simulate", scenario, "--output", folder.file("old.btsnoop"))
        let old = try await run("beacon", "check", "--replay", folder.file("old.btsnoop"))
        #expect(old.status == 65 && old.errors.contains("just now"), "\(old.errors)")

        _ = await registry.stop()
        try FileManager.default.removeItem(atPath: folder.file("beacons.key"))
        #expect(
            try await server.run([
                "key", "create-beacons", "--config", before, "--key-file", folder.file("beacons.key"),
            ]).status == 0)
        registry = try await LiveRegistry(in: folder, settings)
        let missing = try await run("bike", "missing")
        #expect(missing.status == 0 && missing.output.contains("no station can hear its beacon"), "\(missing.output)")
        #expect(!missing.output.contains("every station is searching"))
        let shown = try await run("bike", "show")
        #expect(shown.output.contains("rotating, not heard") && shown.output.contains("MISSING"))
        #expect(try await run("bike", "list").output.contains("rotating, not heard"))
        #expect(try await run("beacon", "check", "--simulate", scenario).errors.contains("cannot read the key"))
        _ = await registry.stop()
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
    func usage(arguments: [String]) async throws {
        #expect(try await program.run(["beacon", "advertise"] + arguments).status == 64)
    }

    @Test("this machine is a rotating beacon: one identity after the other, never two at once")
    func advertise() async throws {
        let bluetooth = try await FakeBluetooth("hci0")
        try await bluetooth.setPowered()
        let beacon = try StartedProgram(
            program, ["beacon", "advertise", "--rotating", "--key-file", keyFile(), "--slot-duration", "0.5s"],
            environment: bluetooth.environment)
        var seen: [String] = []
        while seen.count < 4 {
            let data = try await bluetooth.state().advertisements.map { $0.data["76"] ?? "" }
            #expect(data.count <= 1)
            if let data = data.first, seen.last != data { seen.append(data) }
            await Task.yield()
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
