import CSandbox
import Dispatch
import Glibc
import OperatingSystem
public import Photos
import RegistryAPI
public import RegistryRules

/// Converts photos in a process without rights, one process for each photo.
public struct IsolatedConverter: PhotoConverter {
    private let program: String
    private let arguments: [String]

    /// The time after which the process is killed. Its processor time is limited in addition.
    private static let timeout = Duration.seconds(20)

    /// - Parameter program: a program that calls ``ConvertingProcess/run(_:)`` if its first argument says so; by
    ///   default, this program.
    public init(program: String = "/proc/self/exe") {
        self.program = program
        arguments = [ConvertingProcess.argument]
    }

    public func convert(_ file: [UInt8]) async throws -> ConvertedPhoto {
        try await outside { try convertBlocking(file) }
    }

    /// Checks that photos can be converted here, and that the process has no rights.
    ///
    /// - Throws: `storageUnavailable`, whose text is for the operator.
    public func check() async throws {
        try await outside {
            let run = try run([], adding: [ConvertingProcess.probe])
            guard run.end == .exited(0), run.output == Array(ConvertingProcess.confined.utf8) else { throw run.failure }
        }
    }

    /// Runs a blocking call outside Swift's threads.
    private func outside<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                let result = Swift.Result(catching: body).mapError { error in
                    (error as? ConversionFailure).map { DomainError.storageUnavailable("photos: \($0)") } ?? error
                }
                continuation.resume(with: result)
            }
        }
    }

    private func convertBlocking(_ file: [UInt8]) throws -> ConvertedPhoto {
        let run = try run(file)
        switch run.end {
        case .exited(0):
            guard let photo = ConversionMessage.photo(in: run.output) else {
                throw ConversionFailure("the converting process made no photo")
            }
            return photo
        case .exited(ConversionMessage.refused):
            throw DomainError.photoUnusable(ConversionMessage.refusal(named: run.output))
        // Too much processor time.
        case .killed(SIGXCPU): throw DomainError.photoUnusable(.tooComplex)
        // Not the photo's fault: only the kernel sends SIGKILL, when the machine has too little memory.
        case .killed(SIGKILL): throw ConversionFailure("the kernel killed the converting process: too little memory?")
        // Not the photo's fault either: in the whole time, the process got less than its processor time.
        case .late: throw ConversionFailure("converting took longer than \(Self.timeout): the machine is too busy")
        case .killed: throw DomainError.photoUnusable(.damaged)
        case .exited: throw run.failure
        }
    }

    /// A process that has ended.
    private struct Run {
        enum End: Equatable {
            /// With this exit status.
            case exited(Int32)
            /// By this signal.
            case killed(Int32)
            /// By this program, because the time was over.
            case late
        }

        let end: End
        /// What the process wrote to its standard output.
        let output: [UInt8]

        /// The failure if the output is a text for the operator.
        var failure: ConversionFailure {
            ConversionFailure("\(String(decoding: output.prefix(200), as: UTF8.self)) (\(end))")
        }
    }

    /// Runs the process, and waits for its end.
    ///
    /// - Parameters:
    ///   - input: what the process reads from its standard input.
    ///   - more: further arguments.
    private func run(_ input: [UInt8], adding more: [String] = []) throws(ConversionFailure) -> Run {
        let file = try MemoryFile(input)
        let result = try MemoryFile([])
        // The process keeps its end of the pipe open until it ends.
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { throw ConversionFailure("pipe", code: errno) }
        defer { close(pipe[0]) }
        let started = Spawning.start(
            program, arguments + more, [:], input: file.descriptor, output: result.descriptor, errors: pipe[1],
            inOwnGroup: true)
        close(pipe[1])
        switch started {
        case .failure(let error): throw ConversionFailure("starting \(program)", code: error.code)
        case .success(let process):
            let end = Self.end(of: process, holding: pipe[0])
            return Run(end: end, output: result.bytes(atMost: ConversionMessage.maximumLength))
        }
    }

    /// Waits for the end of a process; kills its group when the time is over.
    ///
    /// - Parameter pipe: the reading end of a pipe that the process holds open.
    private static func end(of process: pid_t, holding pipe: Int32) -> Run.End {
        let deadline = ContinuousClock.now + timeout
        var status: Int32 = 0
        waitForEnd(pipe, until: deadline)
        while waitpid(process, &status, WNOHANG) != process {
            guard ContinuousClock.now < deadline else {
                kill(-process, SIGKILL)
                waitpid(process, &status, 0)
                return .late
            }
            usleep(1000)
        }
        // wait(2): WTERMSIG and WEXITSTATUS are macros.
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
    }

    /// Waits until the other end of the pipe is closed; data that arrives is dropped.
    private static func waitForEnd(_ pipe: Int32, until deadline: ContinuousClock.Instant) {
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            let rest = (deadline - ContinuousClock.now) / .milliseconds(1)
            var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            guard rest > 0 else { return }
            let ready = poll(&entry, 1, Int32(rest) + 1)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0, read(pipe, &buffer, buffer.count) > 0 else { return }
        }
    }
}

/// A file that exists only in memory.
private struct MemoryFile: ~Copyable {
    let descriptor: Int32

    init(_ bytes: [UInt8]) throws(ConversionFailure) {
        descriptor = findmybike_memory_file("findmybike-photo")
        guard descriptor >= 0 else { throw ConversionFailure("memfd_create", code: errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ConversionFailure("writing to memory", code: errno) }
            rest = rest.dropFirst(count)
        }
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { close(descriptor) }

    /// The content, as far as this limit.
    func bytes(atMost limit: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let length = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + count }, limit - count, count)
            }
            guard length > 0 else { break }
            count += length
        }
        return Array(bytes.prefix(count))
    }
}
