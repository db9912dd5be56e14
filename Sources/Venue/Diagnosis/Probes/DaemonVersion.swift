import Foundation
import OperatingSystem
import Syntax

/// The version of bluetoothd. It is not available on the bus, so the program itself is run.
enum DaemonVersion {
    /// The paths of the program in distributions: Debian, Fedora and others, older Debian.
    private static let places = [
        "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
    ]

    /// - Parameter processID: the process identifier of the running daemon, whose own path has precedence.
    static func read(_ files: SystemFiles, processID: Int?) async -> String? {
        for place in [runningProgram(files, processID)].compactMap(\.self) + places
        where FileManager.default.isExecutableFile(atPath: files.place(place)) {
            if let version = await parse(output(of: files.place(place))) { return version }
        }
        return nil
    }

    /// Parses a version such as `5.66`, and nothing else.
    static func parse(_ text: String) -> String? {
        let version = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let parts = version.split(at: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy({ Int($0) != nil }) ? version : nil
    }

    /// The path of the running program. The command line is readable by everyone, unlike the link to the program.
    private static func runningProgram(_ files: SystemFiles, _ processID: Int?) -> String? {
        guard let processID, let command = files.text("/proc/\(processID)/cmdline") else { return nil }
        let program = String(command.prefix { $0 != "\0" })
        return program.begins(with: "/") && program.ends(with: "/bluetoothd") ? program : nil
    }

    private static func output(of program: String) async -> String {
        let result = try? await ExternalProgram(program, ["--version"], timeout: .seconds(5)).run()
        return result?.output ?? ""
    }
}
