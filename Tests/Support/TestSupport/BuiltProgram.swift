import Foundation

/// A program, usually one that was built together with the tests, run to completion.
public struct BuiltProgram: Sendable {
    public struct Result: Sendable {
        public let status: Int32
        /// Whether a signal ended the program; if so, ``status`` is its number.
        public let wasKilled: Bool
        public let output: String
        public let errors: String
    }

    public let path: String

    /// - Parameter name: the name of the product or target, which is next to the test bundle.
    public init(_ name: String) throws {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        path = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// - Parameter path: a program that was not built here.
    public init(path: String) {
        self.path = path
    }

    public var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// Waits in a thread of its own: a test that blocked a thread of the tasks would stop all others.
    ///
    /// - Parameters:
    ///   - input: the program's standard input.
    ///   - limit: after which the program is killed, and this throws.
    public func run(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
        limit: Duration = .seconds(600)
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        // Files, not pipes: a program with much output must not wait for a reader.
        let (output, errors) = (folder.file("output"), folder.file("errors"))
        let child = try ChildProcess(
            path, arguments, environment: Self.environment(environment),
            input: Descriptor(reading: input.map { try folder.write($0, to: "input") } ?? "/dev/null"),
            output: Descriptor(writing: output), errors: Descriptor(writing: errors))
        let deadline = ContinuousClock.now + limit
        let killer = Task {
            try await Task.sleep(until: deadline)
            child.send(SIGKILL)
        }
        let end = await child.ended()
        killer.cancel()
        guard end != .killed(signal: SIGKILL) || ContinuousClock.now < deadline else {
            throw Peer.Failure(description: "\(path) \(arguments.joined(separator: " ")) did not end within \(limit)")
        }
        return Result(
            status: end.status, wasKilled: end == .killed(signal: end.status),
            output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try String(contentsOfFile: errors, encoding: .utf8)
        )
    }

    /// A minimal environment: search path and locale, and none of the machine's own variables.
    static func environment(_ additions: [String: String]) -> [String: String] {
        ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(additions) { $1 }
    }
}
