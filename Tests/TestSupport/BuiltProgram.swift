import Foundation

/// A program, most often one that was built together with the tests, run to its end.
public struct BuiltProgram: Sendable {
    public struct Result: Sendable {
        public let status: Int32
        /// Whether a signal ended the program; then ``status`` is its number.
        public let wasKilled: Bool
        public let output: String
        public let errors: String
    }

    private let executable: URL

    /// - Parameter name: the product's or target's name; it lies beside the test bundle.
    public init(_ name: String) throws {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        executable = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent(name)
    }

    /// - Parameter path: a program that was not built here.
    public init(path: String) {
        executable = URL(fileURLWithPath: path)
    }

    public var path: String { executable.path }
    public var folder: String { executable.deletingLastPathComponent().path }

    /// - Parameter input: what the program reads at its standard input.
    public func run(_ arguments: [String], environment: [String: String] = [:], input: String? = nil) throws -> Result {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
        let folder = try TemporaryFolder()
        let output = try Self.file(folder.file("output"))
        let errors = try Self.file(folder.file("errors"))
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = try input.map { try Self.input($0, in: folder) } ?? FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal,
            output: try String(contentsOfFile: folder.file("output"), encoding: .utf8),
            errors: try String(contentsOfFile: folder.file("errors"), encoding: .utf8)
        )
    }

    private static func input(_ text: String, in folder: TemporaryFolder) throws -> FileHandle {
        try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.write(text, to: "input")))
    }

    /// Files, not pipes: a program that talks much must not wait for a reader.
    private static func file(_ path: String) throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }
}
