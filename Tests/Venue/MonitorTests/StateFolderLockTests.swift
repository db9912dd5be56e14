import Foundation
import Monitor
import TestSupport
import Testing

/// Two monitors that share an outbox would mix their visits.
@Suite("A state folder")
struct StateFolderLockTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("is held by one monitor at a time, and the error of a second monitor names the first")
    func exclusive() throws {
        let held = try StateFolderLock(folder: folder.path)
        let failure = StateFolderLock.Failure.held(folder: folder.path, process: getpid())
        #expect(throws: failure) { try StateFolderLock(folder: folder.path) }
        #expect("\(failure)".contains("process \(getpid())") && "\(failure)".contains("--state"))
        withExtendedLifetime(held) {}
    }

    @Test(
        "is free again once its monitor has ended, whatever is left in the file",
        arguments: ["", "4\n", "x\0", "99999999999"])
    func stale(content: String) throws {
        _ = try folder.write(content, to: "lock")
        do { _ = try StateFolderLock(folder: folder.path) }
        _ = try StateFolderLock(folder: folder.path)
    }

    @Test("is refused, with advice on what to do, if it does not exist or is not a folder")
    func unusable() throws {
        let error = #expect(throws: StateFolderLock.Failure.self) {
            try StateFolderLock(folder: folder.file("absent"))
        }
        #expect(error.map { "\($0)" }?.contains("create it") == true)
        let readOnly = StateFolderLock.Failure.unusable(folder: "/data", code: EROFS)
        #expect("\(readOnly)".contains("mount it with write access"))
    }

    @Test("is not opened through a symbolic link")
    func link() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("lock"), withDestinationPath: folder.file("elsewhere"))
        #expect(throws: StateFolderLock.Failure.self) { try StateFolderLock(folder: folder.path) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("elsewhere")))
    }
}
