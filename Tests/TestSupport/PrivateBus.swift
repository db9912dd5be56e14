import Dispatch
import Foundation
import Glibc

/// A message bus of the test's own: dbus-daemon on a socket in a temporary folder.
public final class PrivateBus: Sendable {
    /// `unix:path=…`
    public let address: String
    private let folder: TemporaryFolder
    private let daemon: Peer

    public init() throws {
        folder = try TemporaryFolder()
        let socket = folder.file("bus")
        address = "unix:path=\(socket)"
        let configuration = try folder.write(Self.configuration(socket), to: "bus.conf")
        daemon = try Peer(
            "/usr/bin/dbus-daemon",
            ["--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address"],
            errors: folder.file("errors"),
            package: "dbus-daemon"
        )
    }

    /// Starts a Python script of Debian's interpreter on this bus, and waits for the line that says that it is ready.
    public func python(_ script: String, _ arguments: [String] = []) throws -> Peer {
        try peer("/usr/bin/python3", [script] + arguments, package: "python3-dbus and python3-gi")
    }

    /// Starts a program on this bus, and waits for its first line.
    public func peer(_ program: String, _ arguments: [String], package: String) throws -> Peer {
        try Peer(program, arguments, environment: environment, package: package)
    }

    /// Runs a program on this bus to its end; answers what it printed.
    public func run(_ program: String, _ arguments: [String], package: String) async throws -> String {
        try await Peer.run(program, arguments, environment: environment, package: package)
    }

    /// Kills the bus, as a crash would.
    public func kill() { daemon.kill() }

    private var environment: [String: String] {
        ["DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address]
    }

    private static func configuration(_ socket: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(socket)</listen>
          <auth>EXTERNAL</auth>
          <limit name="max_replies_per_connection">50000</limit>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }
}

/// A program that plays another part of the system: it prints a line when it is ready, and ends with the test.
public final class Peer: Sendable {
    private let process: Process
    private let output: FileHandle
    private let input: FileHandle
    public let firstLine: String

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// - Parameter errors: a file for what the program complains of, instead of the test's own output.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], errors: String? = nil,
        package: String
    ) throws {
        let (process, output, input) = try Self.start(program, arguments, environment, package, errors)
        firstLine = try Self.line(output)
        guard !firstLine.isEmpty else {
            process.terminate()
            let words = errors.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
            throw Failure(
                description: "\(program) \(arguments) did not start: install the Debian packages \(package). \(words)")
        }
        self.process = process
        self.output = output
        self.input = input
    }

    deinit {
        try? input.close()
        // Without waiting: Foundation waits with select(2), for ever where the process has more than 1024 descriptors, and
        // a thread of the test pool with it.
        kill()
    }

    public func kill() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    }

    /// Runs a program to its end; answers what it printed.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String], package: String
    ) async throws -> String {
        let (process, output, _) = try start(program, arguments, environment, package)
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
                continuation.resume(returning: text)
            }
            _ = process
        }
    }

    private static func start(
        _ program: String, _ arguments: [String], _ environment: [String: String], _ package: String,
        _ errors: String? = nil
    ) throws -> (Process, FileHandle, FileHandle) {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Failure(description: "\(program) is missing: install the Debian packages \(package)")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, input) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardInput = input  // the peer ends when this closes, even if the tests are killed
        if let errors, FileManager.default.createFile(atPath: errors, contents: nil) {
            process.standardError = FileHandle(forWritingAtPath: errors)
        }
        try process.run()
        return (process, output.fileHandleForReading, input.fileHandleForWriting)
    }

    private static func line(_ output: FileHandle) throws -> String {
        var line = Data()
        while let byte = try output.read(upToCount: 1), let first = byte.first, first != UInt8(ascii: "\n") {
            line += byte
        }
        return String(decoding: line, as: UTF8.self)
    }
}
