import Foundation
import Glibc

/// A program that plays another part of the system: it prints a line when it is ready, and ends with the test.
public final class Peer: Sendable {
    private let process: ChildProcess
    /// The peer ends when this closes, even if the tests are killed.
    private let input: Descriptor
    /// Kept open for as long as the peer may write.
    private let output: Descriptor
    public let firstLine: String

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// - Parameters:
    ///   - environment: variables in addition to the tests' own.
    ///   - errors: a file for the program's standard error, instead of the test's own.
    ///   - remedy: what to do if it does not start.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], errors: String? = nil,
        remedy: String
    ) throws {
        (process, input, output) = try Self.start(program, arguments, environment, errors, remedy)
        var reader = LineReader(output)
        firstLine = reader.next() ?? ""
        guard !firstLine.isEmpty else {
            let words = errors.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
            throw Failure(description: "\(program) \(arguments) did not start: \(remedy). \(words)")
        }
    }

    public func kill() { process.send(SIGKILL) }

    /// Runs a program to completion and returns its output.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String], remedy: String
    ) async throws -> String {
        let (process, input, output) = try start(program, arguments, environment, nil, remedy)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var reader = LineReader(output)
                var text = ""
                while let line = reader.next() { text += line + "\n" }
                process.wait()
                withExtendedLifetime(input) { continuation.resume(returning: text) }
            }
        }
    }

    private static func start(
        _ program: String, _ arguments: [String], _ environment: [String: String], _ errors: String?, _ remedy: String
    ) throws -> (ChildProcess, input: Descriptor, output: Descriptor) {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Failure(description: "\(program) is missing: \(remedy)")
        }
        let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        let process = try ChildProcess(
            program, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            input: input.reading, output: output.writing, errors: errors.map(Descriptor.init(writing:)))
        return (process, input.writing, output.reading)
    }
}
