import Foundation

/// Kills programs at the n-th system call that changes a folder: `Tests/MonitorTests/Fixtures/killer.c`, preloaded.
public struct Killer: Sendable {
    private let folder: TemporaryFolder
    /// For `LD_PRELOAD`.
    public var library: String { folder.file("killer.so") }
    private var count: String { folder.file("count") }

    /// Compiles it.
    public init() throws {
        folder = try TemporaryFolder()
        let source = Repository.path("Tests/MonitorTests/Fixtures/killer.c")
        let compiled = try BuiltProgram(path: "/usr/bin/cc").run(
            ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source])
        guard compiled.status == 0 else {
            throw Peer.Failure(
                description: "killer.c: install the Debian packages gcc and libc6-dev. \(compiled.errors)")
        }
    }

    /// What a program's environment needs.
    ///
    /// - Parameter call: that kills it; 0 for none.
    public func environment(watching folder: String, at call: Int) -> [String: String] {
        ["LD_PRELOAD": library, "KILLER_FOLDER": folder, "KILLER_AT": "\(call)", "KILLER_COUNT": count]
    }

    /// How many calls the last program made that came to its end.
    public func calls() throws -> Int {
        let text = try String(contentsOfFile: count, encoding: .utf8)
        guard let calls = Int(text.dropLast()) else { throw Peer.Failure(description: "no count: \(text)") }
        return calls
    }
}
