public import CommandSupport
import Foundation
import HTTPClient
public import OperatingSystem
public import RegistryAPI
import RegistryClient
public import Settings
import Syntax

/// Exchanges a code for a token and a place, and writes both so that an interruption at any moment loses nothing.
///
/// The code works only once. So everything that can be checked is checked before it is used. The attempt has an
/// identifier, which is on disk before the request and allows it to be repeated. The token is written first.
public struct Enrolment {
    /// The user of the package's unit.
    private static let user = "findmybike-monitor"

    /// The file of the station's token.
    public let token: SecretFile
    /// The file with the attempt's identifier, which exists until the enrolment is complete.
    private let attempt: SecretFile
    /// The file with the ``Record``.
    private let record: SecretFile
    private let editor: SettingsFileEditor
    private let settings: ProgramSettings
    private let namesTokenFile: Bool
    private let replaces: Bool
    /// What happens after a failure that may pass; nil if a person repeats the command.
    private let automatic: String?
    /// What to do, or what happens, after a failure.
    private var remedy: String { automatic ?? "Repeat the same command" }

    /// - Parameters:
    ///   - file: the settings file to write.
    ///   - replaces: whether a station's existing token may be replaced.
    ///   - namesTokenFile: whether the settings file must contain the path of the token's file.
    ///   - automatic: what happens after a failure that may pass, as a sentence without a full stop; nil if a person
    ///     repeats the command.
    public init(
        _ settings: ProgramSettings, file: String, replaces: Bool, namesTokenFile: Bool,
        automatic: String? = nil
    ) throws(CommandFailure) {
        self.settings = settings
        self.namesTokenFile = namesTokenFile
        self.automatic = automatic
        token = SecretFile(path: settings.value(MonitorSettings.tokenFile))
        attempt = SecretFile(path: token.path + ".attempt")
        record = SecretFile(path: token.path + ".enrolled")
        editor = SettingsFileEditor(path: file)
        guard !token.path.begins(with: "%") else {
            throw CommandFailure(
                .configuration,
                "station.tokenFile is a credential (\(token.path)): name the file behind it with --token-file")
        }
        self.replaces = replaces
    }

    /// The station that was already enrolled with this code on this machine; nil if anything is left to do.
    public func earlier(code: String) -> Station? {
        guard !attempt.exists, let kept, kept.code == Self.plain(code),
            kept.registry == settings.value(MonitorSettings.registryURL)
        else { return nil }
        return kept.station
    }

    /// The station that this machine is; nil if it is not a station, or if this is not recorded.
    public var current: Station? { kept?.station }

    /// The record of the last enrolment; nil if its token is gone.
    private var kept: Record? {
        guard token.exists, let text = record.read() else { return nil }
        return try? JSONDecoder().decode(Record.self, from: Data(text.utf8))
    }

    /// Fails if the token or the settings could not be written.
    public func check() throws(CommandFailure) {
        // A token next to an attempt file belongs to an interrupted enrolment.
        guard replaces || !token.exists || attempt.exists else {
            throw CommandFailure(
                .cannotCreate,
                "this machine is already a station, and its token is in \(token.path): nothing "
                    + "was changed. To enrol it again, use an unused code and add --replace")
        }
        if let obstacle = token.obstacle ?? SecretFile(path: editor.path).obstacle {
            let status: ExitStatus = obstacle.code == EACCES ? .noPermission : .cannotCreate
            if let automatic {
                throw CommandFailure(status, "\(obstacle). Make the folder writable. \(automatic)")
            }
            let remedy: String
            if obstacle.code == ENOENT {
                remedy = "Make the folder with ‘mkdir -p’"
            } else {
                remedy = geteuid() == 0 ? "Check that the folder is writable" : "Run it with sudo"
            }
            throw CommandFailure(status, "\(obstacle). \(remedy), or name other files")
        }
    }

    /// The record of an enrolment. It serves to recognise a repetition, whose code is already used up.
    private struct Record: Codable {
        let code: String
        let registry: String?
        let station: Station
    }

    /// The code in capitals, without spaces and hyphens.
    private static func plain(_ code: String) -> String {
        code.uppercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Stores the record; returns whether it is stored.
    private func remember(_ station: Station, code: String) -> Bool {
        let kept = Record(
            code: Self.plain(code), registry: settings.value(MonitorSettings.registryURL), station: station)
        guard let text = try? JSONEncoder().encode(kept) else { return false }
        return (try? record.replace(with: String(decoding: text, as: UTF8.self), ownedBy: Self.user)) != nil
    }

    /// Enrols this machine, or completes an enrolment that was interrupted.
    ///
    /// - Returns: the station that this machine has become.
    public func perform(code: String) async throws(CommandFailure) -> Station {
        let isRepeated = attempt.exists
        let name = try attemptName()
        let enrolled: StationEnrolled
        do {
            enrolled = try await exchange(code, attempt: name)
        } catch {
            // The attempt is removed only after a permanent refusal, since then there is nothing to repeat.
            if !isRepeated, !error.isTransient { attempt.remove() }
            throw error
        }
        do {
            try token.replace(with: enrolled.token, ownedBy: Self.user)
        } catch {
            throw CommandFailure(
                .ioError, "the token could not be written (\(error)): correct that. \(remedy)")
        }
        let changes = changes(for: enrolled.station)
        do {
            _ = try editor.apply(changes)
        } catch {
            throw CommandFailure(
                .ioError,
                "the station is enrolled and its token is in \(token.path), but the settings could not be written: "
                    + "\(error). \(remedy)"
                    + (automatic == nil ? ", or add these to \(editor.path):\n" + Self.text(changes) : ""))
        }
        // Last: until then, an interrupted enrolment is repeated. Without the record, the code would be refused next time.
        if remember(enrolled.station, code: code) { attempt.remove() }
        return enrolled.station
    }

    /// The identifier of an attempt whose response was lost, or a new one.
    private func attemptName() throws(CommandFailure) -> String {
        if let name = attempt.read(), !name.isEmpty { return name }
        let name = UUID().uuidString
        do {
            try attempt.replace(with: name)
        } catch {
            throw CommandFailure(.cannotCreate, "\(error). The code was not used. \(remedy)")
        }
        return name
    }

    /// Exchanges the code at the registry.
    private func exchange(_ code: String, attempt: String) async throws(CommandFailure) -> StationEnrolled {
        do {
            let configuration = HTTPConfiguration(
                userAgent: "findmybike-monitor/\(ProductVersion.current)",
                certificateAuthorityFile: settings.value(MonitorSettings.certificateAuthority))
            let registry = try RegistryConnection(
                url: try settings.required(MonitorSettings.registryURL), token: nil,
                http: try HTTPConnection(configuration),
                // If the registry asks for a longer wait, people should see why.
                retries: Retries(
                    RetryPolicy(base: .milliseconds(500), ceiling: .seconds(4), attempts: 3, patience: .seconds(5))))
            return try await registry.enrol(code: code, idempotencyKey: attempt)
        } catch let error as RegistryError {
            throw failure(error)
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }

    /// What a refusal means for a person who enrols.
    private func failure(_ error: RegistryError) -> CommandFailure {
        switch error {
        case .refused(let problem, _) where problem.name == "code-unusable":
            CommandFailure(
                .noPermission,
                "the code does not work: it is mistyped, used, or older than a day. Type it again, or ask the operator "
                    + "for a new one (‘findmybike station invite’)")
        case .unexpectedStatus where error.isTransient:
            CommandFailure(.temporaryFailure, "\(error). \(remedy)")
        case .invalidAddress, .redirectRefused, .unexpectedStatus: CommandFailure(.configuration, "\(error)")
        case .refused(let problem, _) where problem.status < 500 && problem.status != 429:
            CommandFailure(.dataError, "\(error)")
        case .refused: CommandFailure(.temporaryFailure, "\(error). \(remedy)")
        // A repeated enrolment sends the same key, so it is safe even if the registry got the request.
        case .unanswered(let cause): failure(.unreachable(cause))
        case .unreachable, .malformedAnswer: CommandFailure(.unavailable, "\(error). \(remedy)")
        }
    }

    /// The changes to the settings. A mobile station has no fixed place: its receiver reports it.
    private func changes(for station: Station) -> [(key: String, value: String?)] {
        let isMobile = station.mobile || settings.value(MonitorSettings.locationSource) == "gpsd"
        let place = isMobile ? nil : station.place
        var changes: [(key: String, value: String?)] = [
            (MonitorSettings.registryURL.key, settings.value(MonitorSettings.registryURL)),
            (MonitorSettings.latitude.key, place.map { "\($0.latitude)" }),
            (MonitorSettings.longitude.key, place.map { "\($0.longitude)" }),
            (MonitorSettings.accuracy.key, place?.accuracy.map { "\($0)" }),
        ]
        if namesTokenFile { changes.append((MonitorSettings.tokenFile.key, token.path)) }
        if let authority = settings.value(MonitorSettings.certificateAuthority) {
            changes.append((MonitorSettings.certificateAuthority.key, authority))
        }
        return changes
    }

    /// The changes as lines of a settings file.
    private static func text(_ changes: [(key: String, value: String?)]) -> String {
        changes.compactMap { key, value in value.map { "  \(key): \($0)" } }.joined(separator: "\n")
    }
}
