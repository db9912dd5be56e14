import CommandSupport
import Foundation
import Logging
import MonitorConfiguration
import Settings
import StatusSocket

/// Checks everything that a monitor needs to start, as far as possible without any connection; for a start and for
/// `--check-config`.
struct StartChecks {
    /// The reasons why the monitor cannot start.
    private(set) var problems: [String] = []
    /// Problems that do not prevent a start.
    private(set) var warnings: [String]

    private let settings: ProgramSettings

    init(_ settings: ProgramSettings) {
        self.settings = settings
        warnings = settings.warnings
        check { _ = try settings.required(MonitorSettings.registryURL) }
        check { _ = try MonitorParts.token(settings) }
        check { _ = try MonitorParts.presence(settings) }
        check {
            let venue = try VenueSettings.venue(settings, playing: nil)
            _ = try VenueSettings.receiver(settings, venue, Logger(label: "check"))
        }
        check { _ = try VenueAlarms(settings) }
        check { _ = try ReceiverSettings(settings) }
        for authority in [MonitorSettings.certificateAuthority, MonitorSettings.brokerAuthority] {
            checkAuthority(authority)
        }
        checkStateFolder()
        checkStatusSocket()
    }

    /// Throws all problems, if there are any.
    func pass() throws(CommandFailure) {
        guard problems.isEmpty else { throw CommandFailure(.configuration, problems.joined(separator: "\n")) }
    }

    /// Adds the problem of a check that throws.
    private mutating func check(_ body: () throws -> Void) {
        do {
            try body()
        } catch let failure as CommandFailure {
            // The broker's settings are needed twice.
            if !problems.contains(failure.message) { problems.append(failure.message) }
        } catch {
            problems.append("\(error)")
        }
    }

    /// Checks the file of a certificate authority.
    private mutating func checkAuthority(_ setting: Setting<String>) {
        guard let path = settings.value(setting) else { return }
        guard let data = FileManager.default.contents(atPath: path) else {
            return problems.append("\(setting.key): \(path) cannot be read by this user")
        }
        guard String(decoding: data, as: UTF8.self).contains("-----BEGIN") else {
            return problems.append("\(setting.key): \(path) contains no PEM certificate")
        }
    }

    private mutating func checkStateFolder() {
        let path = settings.value(MonitorSettings.stateFolder)
        guard let problem = Self.problem(ofFolder: path) else { return }
        problems.append("state: \(problem): create it for the user that the monitor runs as, or set another folder")
    }

    /// Checks the status socket. The service manager creates the default's folder when the service starts.
    private mutating func checkStatusSocket() {
        let path = settings.value(MonitorSettings.statusSocket)
        // sockaddr_un(7): 108 bytes including the terminating zero.
        if path.utf8.count > 107 { return problems.append("status.socket: \(path) is longer than 107 bytes") }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard settings.isSet(MonitorSettings.statusSocket), let problem = Self.problem(ofFolder: folder) else { return }
        warnings.append("status.socket: \(problem): ‘findmybike venue’ would not work")
    }

    /// What is wrong with a folder that this user must write to; nil if nothing is.
    private static func problem(ofFolder path: String) -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return "there is no folder \(path)"
        }
        guard access(path, W_OK | X_OK) != 0 else { return nil }
        return "the folder \(path) is not writable by this user (\(String(cString: strerror(errno))))"
    }
}
