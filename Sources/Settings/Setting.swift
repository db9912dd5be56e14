import Foundation

/// One setting of a program: its key, what it means, and how its text becomes a value.
///
/// The same definition serves reading, refusing unknown keys and wrong values, and the reference page.
public struct Setting<Value: Sendable>: Sendable {
    /// Dotted, as nested in the YAML file: `registry.url`.
    public let key: String
    public let defaultValue: Value?
    /// What the text must look like, unit included: `seconds, 1…3600`.
    public let form: String
    /// What the setting does, one sentence.
    public let summary: String
    /// Whether the value must never be shown.
    public let isSecret: Bool
    let isPath: Bool
    let parse: @Sendable (String) -> Value?

    public init(
        _ key: String,
        default defaultValue: Value? = nil,
        form: String,
        isSecret: Bool = false,
        isPath: Bool = false,
        _ summary: String,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.key = key
        self.defaultValue = defaultValue
        self.form = form
        self.isSecret = isSecret
        self.isPath = isPath
        self.summary = summary
        self.parse = parse
    }
}

/// A setting without the type of its value, for lists of all that a program knows.
public protocol SettingDefinition: Sendable {
    var key: String { get }
    var form: String { get }
    var summary: String { get }
    var isSecret: Bool { get }
    var defaultText: String? { get }
    /// Whether the file gives a list of texts.
    var isList: Bool { get }
    /// Whether the text is a value of this setting.
    func accepts(_ text: String) -> Bool
}

extension Setting: SettingDefinition {
    public var isList: Bool { Value.self == [String].self }
    public func accepts(_ text: String) -> Bool { parse(text) != nil }
    public var defaultText: String? { defaultValue.map { String(describing: $0) } }

    /// The variable that sets this setting from the environment: `FINDMYBIKE_REGISTRY_URL`.
    public var environmentVariable: String { ProgramSettings.environmentVariable(forKey: key) }
}

extension Setting where Value == String {
    public static func text(
        _ key: String, default defaultValue: String? = nil, isSecret: Bool = false, form: String = "text",
        _ summary: String
    ) -> Setting {
        Setting(key, default: defaultValue, form: form, isSecret: isSecret, summary) { $0.isEmpty ? nil : $0 }
    }

    /// A path; relative ones count from the working directory, a leading `~/` from the user's home, a leading `%d/` from
    /// the folder of the credentials that the service manager loaded.
    public static func path(_ key: String, default defaultValue: String? = nil, _ summary: String) -> Setting {
        Setting(key, default: defaultValue, form: "path", isPath: true, summary) { $0.isEmpty ? nil : $0 }
    }

    /// An `http` or `https` URL without credentials, a query or a fragment; a slash at the end is dropped.
    public static func httpURL(_ key: String, default defaultValue: String? = nil, _ summary: String) -> Setting {
        Setting(key, default: defaultValue, form: "http or https URL", summary) { text in
            let hasHost = ["https://", "http://"].contains { text.hasPrefix($0) && text.count > $0.count }
            guard hasHost, !text.contains(where: { $0.isWhitespace || "@?#".contains($0) }) else { return nil }
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
    }

    public static func choice(
        _ key: String, of values: [String], default defaultValue: String? = nil, _ summary: String
    ) -> Setting {
        Setting(key, default: defaultValue, form: "one of " + values.joined(separator: ", "), summary) {
            values.contains($0) ? $0 : nil
        }
    }
}

extension Setting where Value == [String] {
    /// Several texts, in their order: a list in the file, a JSON array of strings elsewhere.
    public static func list(_ key: String, _ summary: String) -> Setting {
        Setting(key, form: "list of texts, as in [\"one\", \"two\"]", summary) { text in
            (try? JSONDecoder().decode([String].self, from: Data(text.utf8))).flatMap { $0.isEmpty ? nil : $0 }
        }
    }
}

extension Setting where Value == Int {
    public static func integer(
        _ key: String, in range: ClosedRange<Int>, unit: String? = nil, default defaultValue: Int? = nil,
        _ summary: String
    ) -> Setting {
        let prefix = unit.map { $0 + ", " } ?? ""
        return Setting(key, default: defaultValue, form: "\(prefix)\(range.lowerBound)…\(range.upperBound)", summary) {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Setting where Value == Double {
    public static func number(
        _ key: String, in range: ClosedRange<Double>, unit: String, default defaultValue: Double? = nil,
        _ summary: String
    ) -> Setting {
        Setting(key, default: defaultValue, form: "\(unit), \(range.lowerBound)…\(range.upperBound)", summary) {
            Double($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Setting where Value == Bool {
    public static func flag(_ key: String, default defaultValue: Bool, _ summary: String) -> Setting {
        Setting(key, default: defaultValue, form: "true or false", summary) { text in
            switch text {
            case "true": true
            case "false": false
            default: nil
            }
        }
    }
}
