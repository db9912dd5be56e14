import Foundation
import Glibc
import Synchronization

/// A program that plays another part of the system: it prints a line when it is ready, and ends with the test.
public final class Peer: Sendable {
    private let process: ChildProcess
    /// The peer ends when this closes, even if the tests are killed.
    private let input: Descriptor
    /// Kept open for as long as the peer may write.
    private let output: Descriptor
    public let firstLine: String

    /// The longest time from the start to the first line, more than a busy machine needs.
    private static let patience = Duration.seconds(120)

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// - Parameters:
    ///   - environment: variables in addition to the tests' own.
    ///   - showsErrors: whether its standard error is copied to that of the tests.
    ///   - remedy: what to do if it does not start.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], showsErrors: Bool = true,
        remedy: String
    ) throws {
        let errors: Descriptor
        (process, input, output, errors) = try Self.start(program, arguments, environment, remedy)
        let words = Words(errors, areShown: showsErrors)
        var reader = LineReader(output)
        let isInTime = output.isReadable(within: Self.patience)
        firstLine = isInTime ? reader.next() ?? "" : ""
        guard !firstLine.isEmpty else {
            process.send(SIGKILL)
            process.wait()
            let reason = isInTime ? "" : ": nothing within \(Self.patience)"
            throw Failure(
                description:
                    "\(program) \(arguments) did not start\(reason): \(remedy). Its last words: \(words.last())")
        }
    }

    public func kill() { process.send(SIGKILL) }

    /// Runs a program to completion and returns its output.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String], remedy: String
    ) async throws -> String {
        let (process, input, output, errors) = try start(program, arguments, environment, remedy)
        _ = Words(errors, areShown: true)
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
        _ program: String, _ arguments: [String], _ environment: [String: String], _ remedy: String
    ) throws -> (ChildProcess, input: Descriptor, output: Descriptor, errors: Descriptor) {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Failure(description: "\(program) is missing: \(remedy)")
        }
        let (input, output, errors) = (try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe())
        let process = try ChildProcess(
            program, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            input: input.reading, output: output.writing, errors: errors.writing)
        return (process, input.writing, output.reading, errors.reading)
    }
}

/// The last lines that a program writes to its standard error.
private final class Words: Sendable {
    private static let limit = 40

    private let lines = Mutex<[String]>([])
    private let end = DispatchSemaphore(value: 0)

    /// - Parameter areShown: whether they are also copied to the standard error of the tests.
    init(_ errors: Descriptor, areShown: Bool) {
        Thread.detachNewThread { [self] in
            var reader = LineReader(errors)
            while let line = reader.next() {
                if areShown { try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8)) }
                lines.withLock { $0 = Array(($0 + [line]).suffix(Self.limit)) }
            }
            end.signal()
        }
    }

    /// Waits for the end, but not for long: a child of a program that has ended may keep its output open.
    func last() -> String {
        _ = end.wait(timeout: .now() + 1)
        return lines.withLock { $0.joined(separator: "\n") }
    }
}
