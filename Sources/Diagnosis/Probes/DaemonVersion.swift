import Foundation

/// The version of bluetoothd, which it tells nobody on the bus: its program is asked.
enum DaemonVersion {
    /// Where distributions put it: Debian, Fedora and others, older Debian.
    private static let places = [
        "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
    ]

    /// - Parameter processID: the running daemon's, whose own path counts before all others.
    static func read(_ files: SystemFiles, processID: Int?) async -> String? {
        for place in [runningProgram(files, processID)].compactMap(\.self) + places
        where FileManager.default.isExecutableFile(atPath: files.place(place)) {
            if let version = await parse(output(of: files.place(place))) { return version }
        }
        return nil
    }

    /// `5.66`, and nothing else.
    static func parse(_ text: String) -> String? {
        let version = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy({ Int($0) != nil }) ? version : nil
    }

    /// The command line is readable for all, unlike the link to the program.
    private static func runningProgram(_ files: SystemFiles, _ processID: Int?) -> String? {
        guard let processID, let command = files.text("/proc/\(processID)/cmdline") else { return nil }
        let program = String(command.prefix { $0 != "\0" })
        return program.hasPrefix("/") && program.hasSuffix("/bluetoothd") ? program : nil
    }

    private static func output(of program: String) async -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--version"]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        let ended = Ended()
        process.terminationHandler = { _ in ended.tell() }
        guard (try? process.run()) != nil else { return "" }
        let overdue = Task {
            try await Task.sleep(for: .seconds(5))
            ended.tell()
        }
        await ended.wait()
        overdue.cancel()
        guard !process.isRunning else {
            process.terminate()
            return ""
        }
        let data = try? pipe.fileHandleForReading.read(upToCount: 256)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// Waits until the first of several ends is told.
private final class Ended: Sendable {
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

    func tell() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}
