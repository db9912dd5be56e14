import Foundation
import OperatingSystem
import TestSupport
import Testing

@Suite("Files with secrets")
struct SecretFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("only its owner can read a secret’s file, and it is only replaced on purpose")
    func secret() throws {
        let file = SecretFile(path: folder.file("token"))
        try file.create("first")
        #expect(throws: FileFailure.self) { try file.create("second") }
        #expect(file.read() == "first")
        try file.replace(with: "second", ownedBy: "nobody-of-this-name")
        #expect(file.read() == "second")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["token"])
        #expect(SecretFile(path: "/nonexistent/token").obstacle != nil)
    }

    @Test("a secret that others can read, or that is missing, is refused with the reason")
    func refused() throws {
        let file = SecretFile(path: try folder.write("secret\n", to: "token"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        #expect { try file.text() } throws: { if case SecretFile.Failure.exposed = $0 { true } else { false } }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(try file.text() == "secret")
        file.remove()
        #expect { try file.text() } throws: {
            if case SecretFile.Failure.unreadable(ENOENT) = $0 { true } else { false }
        }
    }
}
