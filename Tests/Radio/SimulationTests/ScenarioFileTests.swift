import Foundation
import Simulation
import Testing

@Suite("Reading a scenario from disk")
struct ScenarioFileTests {
    /// Writes a file to a new folder, and removes it afterwards.
    private func refusal(of contents: Data) throws -> ScenarioError? {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "scenario.yaml")
        try contents.write(to: file)
        do throws(ScenarioError) {
            _ = try Scenario(path: file.path)
            return nil
        } catch {
            #expect(error.source == file.path)
            return error
        }
    }

    @Test("names a file that is missing or not a regular file")
    func unreadable() throws {
        let missing = try #require(throws: ScenarioError.self) { try Scenario(path: "/nonexistent/a.yaml") }
        #expect(missing.description == "/nonexistent/a.yaml: cannot be read: No such file or directory")
        let folder = try #require(throws: ScenarioError.self) { try Scenario(path: "/") }
        #expect(folder.description == "/: cannot be read: Is a directory")
    }

    @Test("refuses a file that is too large before parsing it")
    func large() throws {
        let error = try refusal(of: Data(repeating: UInt8(ascii: "#"), count: Scenario.maximumFileSize + 1))
        #expect(error?.problem.contains("larger than 1 MiB") == true)
        #expect(try refusal(of: Data(repeating: UInt8(ascii: "#"), count: 1000))?.problem.contains("empty") == true)
    }

    @Test("refuses bytes that are not UTF-8")
    func encoding() throws {
        let error = try refusal(of: Data("name: caf".utf8) + [0xE9, 0x0A])
        #expect(error?.problem.contains("not UTF-8") == true)
    }

    @Test("accepts a file with a byte order mark, as Windows editors write it")
    func byteOrderMark() throws {
        #expect(try refusal(of: Data("\u{FEFF}name: n\nduration: 1m\n".utf8)) == nil)
    }

    @Test("the shipped scenarios load", arguments: ["bike-passes-cafe", "parked-overnight"])
    func shipped(name: String) throws {
        let scenario = try Scenario.shipped(name)
        #expect(scenario.beacons.count { $0.isMissing } == 1)
    }

    @Test("the first shipped scenario shows every default")
    func documentedDefaults() throws {
        let shipped = try Scenario.shipped("bike-passes-cafe")
        let plain = try Scenario(yaml: "name: n\nduration: 1m", source: "text")
        #expect(shipped.environment == plain.environment)
        #expect(shipped.start == plain.start)
    }
}
