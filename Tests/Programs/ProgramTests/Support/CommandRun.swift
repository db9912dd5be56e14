import ArgumentParser
import CommandSupport
import Foundation
import Synchronization
import Terminal

/// The outcome of a command line that was run in the test's process.
struct CommandRun: Sendable {
    let status: Int32
    let output: String
    let errors: String
}

extension ConfiguredProgram {
    /// Runs a command line with the environment and streams of a process of its own, but in this one, beside others.
    ///
    /// It gets no signals: a command that waits for one needs a `StartedProgram`.
    ///
    /// - Parameter outputFailure: the error number with which the system refuses to write standard output; nil if it does
    ///   not.
    static func run(
        _ arguments: [String], variables: [String: String] = [:], input: String = "", outputFailure: Int32? = nil
    ) async -> CommandRun {
        let streams = RecordedStreams(input: input, outputFailure: outputFailure)
        let environment = ExecutionEnvironment(
            program: _commandName, variables: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(variables) { $1 },
            streams: streams.standard, ownsProcess: false)
        // A failure to write cancels the task, which must not be the test's.
        let command = Task {
            await ExecutionEnvironment.$current.withValue(environment) { await Self.status(of: arguments) }
        }
        let status = await withTaskCancellationHandler {
            await command.value
        } onCancel: {
            command.cancel()
        }
        return streams.run(status: status)
    }
}

/// Standard streams that are values: an input, and what was written.
private final class RecordedStreams: Sendable {
    private struct State {
        var input: Data
        var output = Data()
        var errors = Data()
    }

    private let state: Mutex<State>
    private let outputFailure: Int32?

    init(input: String, outputFailure: Int32?) {
        self.outputFailure = outputFailure
        state = Mutex(State(input: Data(input.utf8)))
    }

    var standard: StandardStreams {
        StandardStreams(
            isTerminal: { _ in false }, readLine: { self.readLine() }, read: { self.read($0) },
            write: { console, data in
                if console == .output, let failure = self.outputFailure { return failure }
                self.state.withLock { state in
                    switch console {
                    case .output: state.output += data
                    case .error: state.errors += data
                    }
                }
                return nil
            })
    }

    func run(status: Int32) -> CommandRun {
        state.withLock { state in
            CommandRun(
                status: status, output: String(decoding: state.output, as: UTF8.self),
                errors: String(decoding: state.errors, as: UTF8.self))
        }
    }

    private func readLine() -> String? {
        state.withLock { state in
            guard !state.input.isEmpty else { return nil }
            let line = state.input.prefix { $0 != UInt8(ascii: "\n") }
            state.input = Data(state.input.dropFirst(line.count + 1))
            return String(decoding: line, as: UTF8.self)
        }
    }

    private func read(_ limit: Int) -> Data? {
        state.withLock { state in
            guard !state.input.isEmpty else { return nil }
            let piece = state.input.prefix(limit)
            state.input = Data(state.input.dropFirst(piece.count))
            return Data(piece)
        }
    }
}
