import Foundation
import TestSupport
import Testing

@testable import Settings

@Suite("Changing a settings file")
struct SettingsFileEditorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func edited(_ text: String, _ changes: [(key: String, value: String?)]) throws -> String {
        try SettingsFileEditor.edited(text, changes, "settings.yaml")
    }

    @Test("a value is replaced in place; comments and the rest stay")
    func replaced() throws {
        let text = "# About us.\nregistry:\n    url: https://a.example # ours\nlog:\n  level: debug\n"
        #expect(
            try edited(text, [("registry.url", "https://b.example:8443/x")])
                == "# About us.\nregistry:\n    url: https://b.example:8443/x # ours\nlog:\n  level: debug\n")
    }

    @Test("a key is added next to the comment that shows it, in its section, or in a new one")
    func inserted() throws {
        let text = "station:\n  # Where.\n  # latitude: 0\n  # accuracy: 1\nlog:\n"
        let result = try edited(
            text, [("station.latitude", "-0.5"), ("station.other", "x"), ("registry.url", "https://a.example")])
        #expect(
            result == "station:\n  other: x\n  # Where.\n  # latitude: 0\n  latitude: -0.5\n  # accuracy: 1\nlog:\n"
                + "registry:\n  url: https://a.example\n")
        #expect(try edited("", [("state", "/var/lib/x")]) == "state: /var/lib/x\n")
    }

    @Test("a removed key becomes a comment")
    func commented() throws {
        #expect(try edited("a:\n  b: 1\n  c: 2\n", [("a.b", nil), ("a.d", nil)]) == "a:\n  # b: 1\n  c: 2\n")
    }

    @Test(
        "an unneeded change leaves every byte of the file as it is", arguments: ["a: {b: 1}", "a:\n  b:   \"1\"\n\n\n"])
    func untouched(text: String) throws {
        #expect(try edited(text, [("a.b", "1")]) == text)
    }

    @Test(
        "values that YAML would otherwise read differently are quoted",
        arguments: ["yes: no", "#x", "a\"b\\c", " x ", "~", "a #b"])
    func quoted(value: String) throws {
        let text = try edited("a:\n  b: 1\n", [("a.b", value)])
        #expect(try SettingsFile(text: text, path: "").entries["a.b"]?.text == value)
    }

    @Test(
        "a style that cannot be edited safely is refused, and nothing is written",
        arguments: ["registry: {url: https://a.example}\n", "registry:\n  url: >-\n    https://a.example\n"])
    func refused(text: String) throws {
        let path = try folder.write(text, to: "settings.yaml")
        #expect(throws: SettingsError.self) {
            try SettingsFileEditor(path: path).apply([("registry.url", "https://b.example")])
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("the previous file is kept, with its mode")
    func backup() throws {
        let path = try folder.write("log:\n  level: info\n", to: "settings.yaml")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let editor = SettingsFileEditor(path: path)
        #expect(try editor.apply([("log.level", "debug")]))
        #expect(try String(contentsOfFile: editor.backup, encoding: .utf8) == "log:\n  level: info\n")
        for file in [path, editor.backup] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o640)
        }
        #expect(try editor.apply([("log.level", "debug")]) == false)
    }
}

@Suite("Secrets loaded by the service manager")
struct CredentialTests {
    private static let file = Setting.path("tokenFile", default: "/etc/token", "Where the token is.")
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("a path may begin with the folder of credentials, as in a unit file")
    func specifier() throws {
        let settings = try ProgramSettings(
            known: [Self.file], file: nil, arguments: ["tokenFile": "%d/token"],
            environment: ["CREDENTIALS_DIRECTORY": folder.path])
        #expect(settings.value(Self.file) == folder.file("token"))
        #expect(settings.isSet(Self.file))
    }

    @Test("a credential is found by its name; a blank one is ignored")
    func named() throws {
        _ = try folder.write("secret\n", to: "token")
        _ = try folder.write("\n", to: "blank")
        let settings = try ProgramSettings(
            known: [Self.file], file: nil, environment: ["CREDENTIALS_DIRECTORY": folder.path])
        #expect(settings.credential("token") == folder.file("token"))
        #expect(settings.credential("blank") == nil)
        #expect(settings.credential("other") == nil)
        #expect(!settings.isSet(Self.file) && settings.value(Self.file) == "/etc/token")
        #expect(try ProgramSettings(known: [Self.file], file: nil, environment: [:]).credential("token") == nil)
    }
}
