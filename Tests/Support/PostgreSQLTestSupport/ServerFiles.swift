import Foundation
import Glibc
import TestSupport

/// PostgreSQL's programs and files. As root, they run as the user `postgres` and belong to it, since PostgreSQL refuses
/// to run as root.
enum ServerFiles {
    private static let root = "/usr/lib/postgresql"

    /// The folder of the newest installed version's programs, which are not in the search path of Debian.
    static func programs() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard
            let newest = versions.compactMap(Int.init).sorted().last(where: {
                FileManager.default.isExecutableFile(atPath: "\(root)/\($0)/bin/initdb")
            })
        else {
            throw PostgreSQLCluster.Failure(description: "PostgreSQL is missing: run scripts/prepare.sh tests")
        }
        return "\(root)/\(newest)/bin"
    }

    /// The arguments that run a program as the right user.
    static var elevation: [String] {
        getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    }

    /// Runs a program to completion.
    static func run(_ name: String, _ arguments: [String]) async throws {
        let result = try await result(name, arguments)
        guard result.status == 0 else {
            throw PostgreSQLCluster.Failure(description: "\(name): \(result.errors) \(result.output)")
        }
    }

    /// Runs a program to completion, and returns its exit status.
    static func status(_ name: String, _ arguments: [String]) async throws -> Int32 {
        try await result(name, arguments).status
    }

    private static func result(_ name: String, _ arguments: [String]) async throws -> BuiltProgram.Result {
        let command = elevation + ["\(try programs())/\(name)"] + arguments
        // PostgreSQL's programs look at their working folder, which the user may not be allowed to read.
        return try await BuiltProgram(path: "/usr/bin/env").run(["--chdir=/"] + command)
    }

    /// Gives a file or folder to the server's user.
    static func makeOwn(_ path: String) throws {
        guard getuid() == 0 else { return }
        guard let user = getpwnam("postgres"), chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
            throw PostgreSQLCluster.Failure(description: "the user postgres is missing: install postgresql-common")
        }
    }

    /// Appends a text to a file of the server.
    static func append(_ text: String, to path: String) throws {
        let old = try String(contentsOfFile: path, encoding: .utf8)
        // Not atomically, so that the file keeps its owner.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: Data((old + text).utf8))
        try handle.close()
    }
}
