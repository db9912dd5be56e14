import Foundation

/// Kills programs at the n-th system call that changes a folder, with `Tests/Venue/MonitorTests/Fixtures/killer.c` preloaded.
public struct Killer: Sendable {
    private let folder: TemporaryFolder
    /// The library's path, for `LD_PRELOAD`.
    public var library: String { folder.file("killer.so") }
    private var count: String { folder.file("count") }

    /// Compiles the library.
    public init() async throws {
        folder = try TemporaryFolder()
        let source = Repository.path("Tests/Venue/MonitorTests/Fixtures/killer.c")
        let compiled = try await BuiltProgram(path: "/usr/bin/cc").run(
            ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source])
        guard compiled.status == 0 else {
            throw Peer.Failure(
                description: "killer.c: install the Debian packages gcc and libc6-dev. \(compiled.errors)")
        }
    }

    /// The environment that a program needs.
    ///
    /// - Parameter call: the number of the call at which the program is killed; 0 for none.
    public func environment(watching folder: String, at call: Int) -> [String: String] {
        ["LD_PRELOAD": library, "KILLER_FOLDER": folder, "KILLER_AT": "\(call)", "KILLER_COUNT": count]
    }

    /// The number of calls made by the last program that ran to completion.
    public func calls() throws -> Int {
        let text = try String(contentsOfFile: count, encoding: .utf8)
        guard let calls = Int(text.dropLast()) else { throw Peer.Failure(description: "no count: \(text)") }
        return calls
    }
}
