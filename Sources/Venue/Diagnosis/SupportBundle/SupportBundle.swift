import Foundation
import MonitorConfiguration
import OperatingSystem
public import Settings
import StationStatus
import StatusSocket
import Syntax

/// One file of a support bundle.
public struct BundlePart: Sendable {
    public let name: String
    /// A description for people.
    public let summary: String
    var text: String
}

/// The information that a supporter needs, collected from this machine. A part that cannot be collected contains the
/// reason.
public struct SupportBundle: Sendable {
    private let settings: Result<ProgramSettings, SettingsError>
    private let path: String?
    private let logLines: Int
    private let receivers: @Sendable (ProgramSettings) async -> ReceiverStates

    /// - Parameters:
    ///   - settings: the monitor's settings, or their error.
    ///   - path: the path of the settings file; nil if there is none.
    ///   - receivers: examines the receivers in the settings.
    public init(
        _ settings: Result<ProgramSettings, SettingsError>, from path: String?, logLines: Int,
        receivers: @escaping @Sendable (ProgramSettings) async -> ReceiverStates
    ) {
        self.settings = settings
        self.path = path
        self.logLines = logLines
        self.receivers = receivers
    }

    /// The settings whose values are shown: numbers, choices, places and the registry. The others can hold passwords,
    /// keys and names, so a new setting is shown only once it is added here.
    static let shown: Set<String> = Set(
        [
            MonitorSettings.registryURL, MonitorSettings.certificateAuthority, MonitorSettings.tokenFile,
            MonitorSettings.latitude, MonitorSettings.longitude, MonitorSettings.accuracy, MonitorSettings.stateFolder,
            MonitorSettings.radioBackend, MonitorSettings.radioPower, MonitorSettings.radioQuietAfter,
            MonitorSettings.listWait, MonitorSettings.listMaximum, MonitorSettings.enterFrames,
            MonitorSettings.enterWithin, MonitorSettings.lostAfter, MonitorSettings.report, MonitorSettings.partners,
            MonitorSettings.locationSource, MonitorSettings.maximumAge, MonitorSettings.withoutFix,
            MonitorSettings.clockTrusted, MonitorSettings.maximumVisits, MonitorSettings.statusSocket,
            MonitorSettings.statusPort, MonitorSettings.alarmTimeout, MonitorSettings.brokerAuthority,
            MonitorSettings.brokerPassword, MonitorSettings.brokerAnswers, MonitorSettings.displayListen,
            MonitorSettings.logLevel,
        ].map { (setting: any SettingDefinition) in setting.key })

    /// All parts, without secrets.
    public func contents() async -> [BundlePart] {
        // A second line of defence, behind the lists of settings and fields that may be shown.
        let hidden = known?.texts(of: MonitorSettings.all, besides: Self.shown) ?? []
        let redaction = Redaction(secrets: [known?.stationToken.read()].compactMap(\.self) + hidden)
        let parts = [
            BundlePart(name: "machine.txt", summary: "versions, clock, disk", text: machine),
            BundlePart(name: "settings.txt", summary: "the monitor’s settings", text: settingsText),
            BundlePart(name: "status.json", summary: "the monitor’s status", text: await status),
            BundlePart(name: "doctor.txt", summary: "the output of ‘findmybike doctor’", text: await doctor),
            BundlePart(name: "log.txt", summary: "the last \(logLines) lines of the monitor’s log", text: await log),
        ]
        return parts.map { part in
            var part = part
            part.text = redaction.redacted(part.text)
            return part
        }
    }

    /// The settings, if they are valid.
    private var known: ProgramSettings? { try? settings.get() }

    private var machine: String {
        let folder = known?.value(MonitorSettings.stateFolder) ?? "/"
        let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let system = release.firstMatch(of: /PRETTY_NAME="?([^"\n]+)/)?.output.1 ?? "unknown"
        let model = (try? String(contentsOfFile: "/proc/device-tree/model", encoding: .utf8)) ?? "unknown"
        return """
            monitor: \(ProductVersion.current)
            system: \(system)
            kernel: \(Self.firstLine("/proc/sys/kernel/osrelease"))
            hardware: \(model.filter { $0 != "\0" })
            up: \(Self.firstLine("/proc/uptime").prefix { $0 != " " }) seconds
            load: \(Self.firstLine("/proc/loadavg"))
            time: \(Date().ISO8601Format()), synchronised: \(ClockState.current().isSynchronised)
            free in \(folder): \(Self.freeSpace(in: folder))
            free in /: \(Self.freeSpace(in: "/"))

            """
    }

    private var settingsText: String {
        switch settings {
        case .failure(let failure): "The settings are invalid: \(Self.withoutValues(failure))\n"
        case .success(let settings):
            "File: \(path ?? "none")\n" + settings.listing(of: MonitorSettings.all, showing: Self.shown)
        }
    }

    /// The problems without the values that are wrong.
    private static func withoutValues(_ error: SettingsError) -> String {
        let value = #/: ‘.*’ is invalid: expected /#.dotMatchesNewlines().matchingSemantics(.unicodeScalar)
        return error.problems.map { $0.replacing(value, with: ": the value is invalid: expected ") }
            .joined(separator: "\n")
    }

    private var status: String {
        get async {
            let socket = known?.value(MonitorSettings.statusSocket) ?? ""
            do {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
                var report = try await StatusClient(socket: socket).report()
                // Other people's bikes, and the person to call.
                report.alarms.recent = []
                report.alarms.advice = ""
                return String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
            } catch {
                return "No monitor answers at \(socket): \(error)\n"
            }
        }
    }

    private var doctor: String {
        get async {
            let probes = DoctorProbes(
                registry: registryProbe,
                receivers: { [known, receivers] in
                    guard let known else { return .configured([]) }
                    return await receivers(known)
                })
            let place = known.map {
                LocationSettings(
                    latitude: $0.value(MonitorSettings.latitude), longitude: $0.value(MonitorSettings.longitude))
            }
            let checks = await Doctor(
                probes, as: .station, location: place,
                usesAdapters: known?.value(MonitorSettings.radioBackend) != MonitorSettings.receiversOnly
            ).examine()
            return checks.map { check in
                "\(check.verdict.rawValue)  \(check.title) – \(check.finding)"
                    + (check.remedy.map { "\n    \($0)" } ?? "") + "\n"
            }.joined()
        }
    }

    private var registryProbe: @Sendable () async -> RegistryState {
        guard let known else { return { .notConfigured } }
        let file = known.stationToken
        let token = file.read()
        return RegistryProbe.asking(
            known.value(MonitorSettings.registryURL), token: token,
            missingToken: token == nil ? "the token cannot be read from \(file.path)" : nil,
            authority: known.value(MonitorSettings.certificateAuthority), as: .station, program: "findmybike-monitor")
    }

    private var log: String {
        get async {
            let arguments = [
                "--unit", "findmybike-monitor", "--lines", "\(logLines)", "--output", "short-iso", "--no-pager",
                "--quiet",
            ]
            let journal = ExternalProgram(
                "journalctl", arguments, timeout: .seconds(30), outputLimit: 16 << 20)
            guard let (end, text) = try? await journal.run(), end == .exited(0) else {
                return "This machine has no journal.\n"
            }
            return text.isEmpty
                ? "The journal has no entries of the monitor, or this user may not read it.\n" : LogExcerpt.shown(text)
        }
    }

    /// The first line of a file; “unknown” if it cannot be read.
    private static func firstLine(_ path: String) -> String {
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(at: "\n").first.map(String.init) ?? "unknown"
    }

    /// The free and the whole space of a folder's disk.
    private static func freeSpace(in folder: String) -> String {
        guard let values = try? FileManager.default.attributesOfFileSystem(forPath: folder),
            let free = (values[.systemFreeSize] as? NSNumber)?.int64Value,
            let size = (values[.systemSize] as? NSNumber)?.int64Value
        else { return "unknown" }
        return "\(free / 1_000_000) of \(size / 1_000_000) MB"
    }
}
