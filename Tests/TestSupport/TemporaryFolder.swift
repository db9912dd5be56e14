import Foundation

/// A folder that disappears with the last reference to it.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// - Parameter isInMemory: for tests that write so often that a disk would take minutes; nothing there survives power
    ///   loss.
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
}
