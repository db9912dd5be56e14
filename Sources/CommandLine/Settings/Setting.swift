import Foundation
import Syntax

/// A setting without a default: its key, its meaning, and the parser of its text.
///
/// The same definition is used for reading, for refusing unknown keys and invalid values, and for the reference page.
public struct Setting<Value: Sendable>: Sendable {
    /// The dotted key, as nested in the YAML file: `registry.url`.
    public let key: String
    /// The format of the text, including the unit: `seconds, 1…3600`.
    public let form: String
    /// The effect of the setting, in one sentence.
    public let summary: String
    /// Whether the value must never be shown.
    public let isSecret: Bool
    /// The form of the value in the file.
    public let shape: SettingShape
    /// Whether the value is a path, in which a leading `%d/` is resolved (``ProgramSettings/resolved(_:)``).
    let isPath: Bool
    /// Parses the text; nil if it is invalid.
    package let parse: @Sendable (String) -> Value?

    public init(
        _ key: String,
        form: String,
        isSecret: Bool = false,
        isPath: Bool = false,
        shape: SettingShape = .text,
        _ summary: String,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.key = key
        self.form = form
        self.isSecret = isSecret
        self.isPath = isPath
        self.shape = shape
        self.summary = summary
        self.parse = parse
    }
}

/// The form of a value in a settings file. Elsewhere, and inside the program, lists are JSON.
public enum SettingShape: Sendable {
    /// One text, number or truth value.
    case text
    /// A list of texts.
    case list
    /// A list of mappings from names to texts.
    case entries

    /// The requirement for a value, as the end of a sentence.
    var rule: String {
        switch self {
        case .text: "must not be a list"
        case .list: "must be a list of texts"
        case .entries: "must be a list of entries, each with names and values"
        }
    }
}

/// A setting with a default, so that it always has a value.
public struct DefaultedSetting<Value: Sendable>: Sendable {
    public let setting: Setting<Value>
    public let defaultValue: Value
    /// The default in the format of a settings file.
    private let text: String

    /// - Parameter text: the default in the format of a settings file; nil for the value's description.
    public init(_ setting: Setting<Value>, default defaultValue: Value, text: String? = nil) {
        self.setting = setting
        self.defaultValue = defaultValue
        self.text = text ?? String(describing: defaultValue)
    }
}

/// A setting without the type of its value, for lists of all settings of a program.
public protocol SettingDefinition: Sendable {
    /// See ``Setting/key``.
    var key: String { get }
    /// See ``Setting/form``.
    var form: String { get }
    /// See ``Setting/summary``.
    var summary: String { get }
    /// See ``Setting/isSecret``.
    var isSecret: Bool { get }
    /// The default in the format of a settings file; nil if there is none.
    var defaultText: String? { get }
    /// The form of the value in the file.
    var shape: SettingShape { get }
    /// Whether the text is a valid value of this setting.
    func accepts(_ text: String) -> Bool
}

extension Setting: SettingDefinition {
    public func accepts(_ text: String) -> Bool { parse(text) != nil }
    public var defaultText: String? { nil }
}

extension DefaultedSetting: SettingDefinition {
    public var key: String { setting.key }
    public var form: String { setting.form }
    public var summary: String { setting.summary }
    public var isSecret: Bool { setting.isSecret }
    public var shape: SettingShape { setting.shape }
    public func accepts(_ text: String) -> Bool { setting.accepts(text) }
    public var defaultText: String? { text }
}

extension SettingDefinition {
    /// The environment variable of this setting: `FINDMYBIKE_REGISTRY_URL`.
    public var environmentVariable: String { ProgramSettings.environmentVariable(forKey: key) }
}

extension Setting where Value == String {
    /// A text without control characters: no line break, and no end of a text in C.
    public static func text(
        _ key: String, isSecret: Bool = false, form: String = "text", _ summary: String
    ) -> Setting {
        Setting(key, form: form, isSecret: isSecret, summary) { text in
            let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            return isPlain && !text.isEmpty ? text : nil
        }
    }

    public static func text(
        _ key: String, default defaultValue: String, form: String = "text", _ summary: String
    ) -> DefaultedSetting<String> {
        DefaultedSetting(text(key, form: form, summary), default: defaultValue)
    }

    /// A path. Relative paths start in the working directory, a leading `~/` is the user's home, and a leading `%d/` is
    /// the folder of the credentials that the service manager loaded.
    public static func path(_ key: String, _ summary: String) -> Setting {
        Setting(key, form: "path", isPath: true, summary) { $0.isEmpty ? nil : $0 }
    }

    public static func path(_ key: String, default path: String, _ summary: String) -> DefaultedSetting<String> {
        DefaultedSetting(.path(key, summary), default: path)
    }

    /// An `http` or `https` URL without credentials, a query or a fragment; a trailing slash is dropped.
    public static func httpURL(_ key: String, _ summary: String) -> Setting {
        Setting(key, form: "http or https URL without a user", summary) { text in
            guard let rest = text.dropping(prefix: "https://") ?? text.dropping(prefix: "http://") else { return nil }
            let isPlain = !rest.unicodeScalars.contains {
                $0.properties.isWhitespace || !$0.isInLine || "@?#\"".unicodeScalars.contains($0)
            }
            guard isPlain, !rest.isEmpty else { return nil }
            return String(text.dropping(suffix: "/") ?? text[...])
        }
    }

    public static func httpURL(_ key: String, default url: String, _ summary: String) -> DefaultedSetting<String> {
        DefaultedSetting(httpURL(key, summary), default: url)
    }

    /// One of these texts.
    public static func choice(
        _ key: String, of values: [String], default defaultValue: String, _ summary: String
    ) -> DefaultedSetting<String> {
        let setting = Setting(key, form: "one of " + values.joined(separator: ", "), summary) {
            values.contains($0) ? $0 : nil
        }
        return DefaultedSetting(setting, default: defaultValue)
    }
}

extension Setting where Value == [String] {
    /// Several texts in order, at least one: a list in the file, a JSON array of strings elsewhere.
    public static func list(_ key: String, _ summary: String) -> Setting {
        Setting(key, form: "list of texts, as in [\"one\", \"two\"]", shape: .list, summary) { text in
            let texts = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
            return texts?.isEmpty == false ? texts : nil
        }
    }
}

extension Setting where Value == [[String: String]] {
    /// Several entries in order, each with names and texts: a list of mappings in the file, a JSON array of objects
    /// elsewhere. The reader of the setting checks the names.
    ///
    /// - Parameters:
    ///   - maximum: the highest number of entries.
    ///   - example: an entry, as JSON.
    public static func entries(
        _ key: String, maximum: Int, example: String, _ summary: String
    ) -> Setting {
        let form = "list of at most \(maximum) entries, as in [\(example)]"
        return Setting(key, form: form, shape: .entries, summary) { text in
            let entries = try? JSONDecoder().decode([[String: String]].self, from: Data(text.utf8))
            guard let entries, (1...maximum).contains(entries.count) else { return nil }
            return entries
        }
    }
}

extension Setting where Value: CaseIterable & RawRepresentable<String> {
    /// One of the values of a type, by its raw value.
    public static func choice(_ key: String, default value: Value, _ summary: String) -> DefaultedSetting<Value> {
        let form = "one of " + Value.allCases.map(\.rawValue).joined(separator: ", ")
        return DefaultedSetting(
            Setting(key, form: form, summary) { Value(rawValue: $0) }, default: value, text: value.rawValue)
    }
}

extension Setting where Value == Int {
    /// A whole number within a range.
    ///
    /// - Parameter unit: the unit for the reference, such as `seconds`; nil for a plain number.
    public static func integer(
        _ key: String, in range: ClosedRange<Int>, unit: String? = nil, _ summary: String
    ) -> Setting {
        let prefix = unit.map { $0 + ", " } ?? ""
        return Setting(key, form: "\(prefix)\(range.lowerBound)…\(range.upperBound)", summary) {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    public static func integer(
        _ key: String, in range: ClosedRange<Int>, unit: String? = nil, default defaultValue: Int, _ summary: String
    ) -> DefaultedSetting<Int> {
        DefaultedSetting(integer(key, in: range, unit: unit, summary), default: defaultValue)
    }
}

extension Setting where Value == Double {
    /// A number within a range.
    ///
    /// - Parameter unit: the unit for the reference, such as `dBm`.
    public static func number(
        _ key: String, in range: ClosedRange<Double>, unit: String, _ summary: String
    ) -> Setting {
        Setting(key, form: "\(unit), \(range.lowerBound)…\(range.upperBound)", summary) {
            Double($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Setting where Value == Bool {
    /// Either `true` or `false`.
    public static func flag(_ key: String, default value: Bool, _ summary: String) -> DefaultedSetting<Bool> {
        DefaultedSetting(Setting(key, form: "true or false", summary) { Bool($0) }, default: value)
    }
}
