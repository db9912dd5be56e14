import Foundation
import OperatingSystem
import Syntax

/// The settings of one run, read once at start. Arguments override the environment, which overrides the file, which
/// overrides the defaults.
///
/// All unknown keys in the file and all invalid values are reported together, each with its place and remedy.
public struct ProgramSettings: Sendable {
    /// The text of each setting that is set, by key.
    private let texts: [String: String]
    /// The path of the settings file; nil if there is none.
    private let file: String?
    /// The folder of this service's credentials from the service manager (systemd.exec(5), “Credentials”).
    private let credentials: String?
    /// Warnings about variables that look like settings but are not. They are not an error, but people should know.
    public let warnings: [String]

    /// Reads all settings.
    ///
    /// - Parameters:
    ///   - known: every setting of the program.
    ///   - file: the YAML file, or nil for none.
    ///   - arguments: values from the command line by key, which override all others.
    ///   - environment: the process's environment.
    /// - Throws: ``SettingsError`` with every problem.
    public init(
        known: [any SettingDefinition],
        file path: String?,
        arguments: [String: String] = [:],
        environment: [String: String]
    ) throws(SettingsError) {
        let file = try path.map { path throws(SettingsError) in try SettingsFile(path: path) }
        let problems =
            Self.problems(in: file?.entries ?? [:], of: path ?? "", known)
            + Self.problems(in: arguments, and: environment, known)
        guard problems.isEmpty else { throw SettingsError(problems) }
        self.file = path
        credentials = environment["CREDENTIALS_DIRECTORY"]
        warnings = Self.warnings(in: environment, known: known)
        texts = (file?.entries.mapValues(\.text) ?? [:])
            .merging(Self.texts(of: known, in: environment)) { $1 }
            .merging(arguments) { $1 }
    }

    /// The value; nil if it is not set.
    public func value<Value>(_ setting: Setting<Value>) -> Value? {
        guard let text = text(of: setting) else { return nil }
        // Every text was accepted by its setting in `init`.
        return setting.parse(setting.isPath ? resolved(text) : text)
    }

    /// The value, or the setting's default.
    public func value<Value>(_ setting: DefaultedSetting<Value>) -> Value {
        value(setting.setting) ?? setting.defaultValue
    }

    /// The file of a credential that the service manager loaded; nil if there is none, or if it is blank.
    public func credential(_ name: String) -> String? {
        guard let credentials else { return nil }
        let path = "\(credentials)/\(name)"
        return SecretFile(path: path).read()?.isEmpty == false ? path : nil
    }

    /// Whether anybody has set it, even to its default.
    public func isSet(_ setting: any SettingDefinition) -> Bool { text(of: setting) != nil }

    /// The keys of the settings whose values differ from those of other settings.
    public func keys(
        among known: [any SettingDefinition], thatDifferFrom other: ProgramSettings
    ) -> [String] {
        known.filter { text(of: $0) != other.text(of: $0) }.map(\.key)
    }

    /// Every setting, one per line: the value if it may be shown, and otherwise whether it is set.
    ///
    /// - Parameter shown: the keys of the settings whose values may be shown.
    public func listing(of known: [any SettingDefinition], showing shown: Set<String>) -> String {
        known.map { setting in
            let text = text(of: setting)
            let value = text.map { shown.contains(setting.key) ? $0 : "[set, not shown]" }
            return "\(setting.key): \(value ?? "\(setting.defaultText ?? "none") (default)")\n"
        }.joined()
    }

    /// The texts of the settings that may not be shown; for a list, each text in it.
    ///
    /// - Parameter shown: the keys of the settings whose values may be shown.
    public func texts(of known: [any SettingDefinition], besides shown: Set<String>) -> [String] {
        known.filter { !shown.contains($0.key) }.flatMap { setting -> [String] in
            guard let text = text(of: setting) else { return [] }
            switch setting.shape {
            case .text: return [text]
            case .list: return (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
            case .entries:
                let entries = try? JSONDecoder().decode([[String: String]].self, from: Data(text.utf8))
                return entries?.flatMap(\.values) ?? []
            }
        }
    }

    private func text(of setting: any SettingDefinition) -> String? {
        texts[setting.key]
    }

    /// Resolves a path that begins with `%d/` to a credential, as in a unit file. Values of paths are resolved already.
    public func resolved(_ path: String) -> String {
        guard let credentials, let name = path.dropping(prefix: "%d/") else { return path }
        return "\(credentials)/\(name)"
    }

    /// The value of a setting that the program needs.
    ///
    /// - Throws: ``SettingsError`` if it is not set, with how to set it.
    public func required<Value>(_ setting: Setting<Value>) throws(SettingsError) -> Value {
        if let value = value(setting) { return value }
        let place = file.map { "in \($0)" } ?? "in a settings file"
        throw SettingsError([
            "\(setting.key) is not set: set it \(place) or by "
                + "\(ProgramSettings.environmentVariable(forKey: setting.key)), as \(setting.form). \(setting.summary)"
        ])
    }

    /// The problems in a file, in the order of its lines.
    private static func problems(
        in entries: [String: SettingsFile.Entry], of path: String, _ known: [any SettingDefinition]
    ) -> [String] {
        var problems: [String] = []
        // The list settings that are not written as lists; each is reported once.
        var unlisted: Set<String> = []
        for (key, entry) in entries.sorted(by: { $0.value.line < $1.value.line }) {
            let line = "\(path):\(entry.line):"
            if let setting = known.first(where: { $0.key == key }) {
                problems += problem(with: entry, of: setting, at: "\(line) \(key)")
            } else if let list = known.first(where: { $0.shape != .text && key.begins(with: $0.key + ".") }) {
                guard unlisted.insert(list.key).inserted else { continue }
                problems.append("\(line) \(list.key) \(list.shape.rule); begin each with ‘- ’: expected \(list.form)")
            } else {
                problems.append("\(line) unknown key ‘\(key)’\(hint(for: key, among: known))")
            }
        }
        return problems
    }

    /// The problems in arguments and in the environment, in the order of the settings.
    private static func problems(
        in arguments: [String: String], and environment: [String: String], _ known: [any SettingDefinition]
    ) -> [String] {
        var problems: [String] = []
        for setting in known {
            if let text = arguments[setting.key] {
                problems += problem(with: text, of: setting, at: "argument for \(setting.key)")
            }
            let variable = environmentVariable(forKey: setting.key)
            if let text = environment[variable] { problems += problem(with: text, of: setting, at: variable) }
        }
        return problems
    }

    /// The problem with an entry of a file, in an array; none if the setting accepts it.
    private static func problem(
        with entry: SettingsFile.Entry, of setting: any SettingDefinition, at place: String
    ) -> [String] {
        guard entry.shape == setting.shape else {
            return ["\(place) \(setting.shape.rule): expected \(setting.form)"]
        }
        return problem(with: entry.text, of: setting, at: place)
    }

    /// The longest part of a wrong value that an error repeats, in Unicode scalars.
    private static let longestQuotation = 200

    /// The problem with a text, in an array; none if the setting accepts the text.
    private static func problem(with text: String, of setting: any SettingDefinition, at place: String) -> [String] {
        guard !setting.accepts(text) else { return [] }
        // A URL may have a password before its “@”, and many people may see the log.
        let isShown = !setting.isSecret && !(text.has("://") && text.has("@"))
        let value = isShown ? "‘\(text.line(atMost: longestQuotation))’" : "the value"
        return ["\(place): \(value) is invalid: expected \(setting.form)"]
    }

    /// The end of the message about an unknown key: the setting that was probably meant, or what else helps.
    private static func hint(for key: String, among known: [any SettingDefinition]) -> String {
        let last = key.split(at: ".").last?.lowercased() ?? ""
        let match = known.first {
            $0.key.lowercased() == key.lowercased() || $0.key.lowercased().ends(with: "." + last)
        }
        let meant = match?.key ?? Spelling.nearest(to: key, among: known.map(\.key))
        return meant.map { ": did you mean ‘\($0)’?" } ?? ": remove it, or see the commented sample in config/"
    }
}

/// All errors in a program's settings, one per line, so that one run reports them all.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for each problem: its place, what is wrong, and what is expected.
    public let problems: [String]

    /// Whether the settings file itself is missing or cannot be read.
    public let isUnreadable: Bool

    public init(_ problems: [String], isUnreadable: Bool = false) {
        self.problems = problems
        self.isUnreadable = isUnreadable
    }

    public var description: String { problems.joined(separator: "\n") }
}
