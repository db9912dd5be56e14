import Foundation
import OperatingSystem
import TestSupport
import Testing

@Suite("Private files")
struct PrivateFileTests {
    @Test("a new file is empty and only its user’s, also behind a link; the permissions of an existing one stay")
    func create() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("new")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: file)
        try PrivateFile.create(folder.file("link"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).isEmpty)
        #expect(try permissions(file) == 0o600)
        let kept = try folder.write("kept", to: "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: kept)
        try PrivateFile.create(kept)
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "kept")
        #expect(try permissions(kept) == 0o640)
        #expect(throws: FileFailure.self) { try PrivateFile.create(folder.file("no/such/folder")) }
    }

    @Test("the locks that this process has on the file are kept")
    func locks() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "locked")
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        try #require(lockf(descriptor, F_TLOCK, 0) == 0)
        try PrivateFile.create(file)
        // Only another process sees a lock of this one.
        let other = "import fcntl; fcntl.lockf(open('\(file)', 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
        let result = try await BuiltProgram(path: "/usr/bin/python3").run(["-c", other])
        #expect(result.errors.contains("BlockingIOError"))
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
