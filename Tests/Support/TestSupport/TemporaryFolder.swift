import Foundation

/// A folder that disappears with the last reference to it.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// - Parameter isInMemory: for tests with so many writes that a disk would take minutes; the content does not
    ///   survive power loss.
    public init(isInMemory: Bool = false) throws {
        path = (isInMemory ? "/dev/shm/" : NSTemporaryDirectory()) + "findmybike-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes a text file and returns its path.
    public func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Writes a shell script that can be run immediately, and returns its path.
    ///
    /// Another program writes it: files that this process has open for writing are also open in its children from
    /// fork(2) to execve(2), and a file that is open for writing cannot be run (ETXTBSY).
    public func script(_ lines: String, to name: String) async throws -> String {
        let written = try await BuiltProgram(path: "/usr/bin/install")
            .run(["--mode=755", "/dev/stdin", file(name)], input: "#!/bin/sh\n\(lines)\n")
        guard written.status == 0 else { throw Unwritten(description: written.errors) }
        return file(name)
    }

    public struct Unwritten: Error, CustomStringConvertible {
        public let description: String
    }
}
