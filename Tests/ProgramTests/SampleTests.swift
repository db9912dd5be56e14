import Foundation
import TestSupport
import Testing

@Suite("Samples and units")
struct SampleTests {
    @Test("the monitor’s sample settings are accepted as they are")
    func monitorSample() throws {
        let result = try BuiltProgram("findmybike-monitor").run([
            "--config", Repository.path("config/monitor.yaml"), "--check-config",
        ])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("the registry’s sample settings are accepted as they are")
    func registrySample() throws {
        let result = try BuiltProgram("findmybike-registry").run([
            "serve", "--config", Repository.path("config/registry.yaml"), "--check-config",
        ])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
        "every setting that a sample only mentions is accepted too, with the default that it shows",
        arguments: [("findmybike-monitor", "monitor", []), ("findmybike-registry", "registry", ["serve"])]
            as [(String, String, [String])]
    )
    func commentedDefaults(program: String, sample: String, command: [String]) throws {
        let text = try String(contentsOfFile: Repository.path("config/\(sample).yaml"), encoding: .utf8)
        let uncommented = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.replacing(/^(\ *)# ([a-zA-Z]+:( \S+)?)$/) { "\($0.output.1)\($0.output.2)" }
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(uncommented.joined(separator: "\n"), to: "settings.yaml")
        let result = try BuiltProgram(program).run(command + ["--config", path, "--check-config"])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
        "settings that do not fit together are refused before anything starts",
        arguments: [
            ("station:\n  latitude: 1\n", "registry.url is not set"),
            ("registry:\n  url: https://a.example\nstation:\n  latitude: 1\n", "belong together"),
            (
                "registry:\n  url: https://a.example\nlocation:\n  source: gpsd\n  gpsd: localhost\n",
                "write it as host:port"
            ),
        ])
    func misfits(text: String, remedy: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "monitor.yaml")
        let result = try BuiltProgram("findmybike-monitor").run(["--config", path, "--check-config"])
        #expect(result.status == 78 && result.errors.contains(remedy), "\(result.errors)")
    }

    @Test(
        "the reference of settings is what the programs say", arguments: ["findmybike-monitor", "findmybike-registry"])
    func reference(program: String) throws {
        let page = try String(contentsOfFile: Repository.path("docs/configuration.md"), encoding: .utf8)
        let table = try BuiltProgram(program).run(["settings"]).output
        #expect(page.contains(table), "run scripts/reference.sh")
    }

    @Test("systemd accepts the units", arguments: ["findmybike-monitor", "findmybike-registry"])
    func units(name: String) throws {
        let folder = try TemporaryFolder()
        let unit = try String(contentsOfFile: Repository.path("systemd/\(name).service"), encoding: .utf8)
        let program = try BuiltProgram(name).path
        let installed = unit.replacing("/usr/bin/\(name)", with: program)
        #expect(installed != unit)
        let path = try folder.write(installed, to: "\(name).service")
        let verify = try BuiltProgram(path: "/usr/bin/systemd-analyze").run(["verify", path])
        #expect(verify.status == 0)
        #expect(verify.errors.isEmpty, "\(verify.errors)")
    }

    @Test(
        "the units give no more away than they must",
        arguments: ["findmybike-monitor": 2.0, "findmybike-registry": 1.5])
    func exposure(name: String, limit: Double) throws {
        let security = try BuiltProgram(path: "/usr/bin/systemd-analyze").run([
            "security", "--offline=true", Repository.path("systemd/\(name).service"),
        ])
        let level = try #require(security.output.firstMatch(of: /exposure level for \S+: ([0-9.]+)/))
        #expect(try #require(Double(level.output.1)) <= limit)
    }
}
