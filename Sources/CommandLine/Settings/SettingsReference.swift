import Foundation
import Syntax

/// The reference of a program's settings as a Markdown table, generated from the definitions that the program uses.
public struct SettingsReference: CustomStringConvertible, Sendable {
    private let definitions: [any SettingDefinition]

    public init(_ definitions: [any SettingDefinition]) {
        self.definitions = definitions
    }

    /// The table, with a header and without a line break at its end.
    public var description: String {
        let rows = definitions.map { definition in
            let fallback = definition.defaultText.map { "`\($0)`" } ?? "–"
            let variable = ProgramSettings.environmentVariable(forKey: definition.key)
            let secret = definition.isSecret ? " Secret: never shown." : ""
            let cells = [
                "`\(definition.key)`", definition.form, fallback, definition.summary + secret, "`\(variable)`",
            ]
            return Self.row(cells.map { $0.replacing(scalars: ["|": "\\|"]) })
        }
        let heading = [Self.row(["key", "value", "default", "meaning", "environment"]), "|---|---|---|---|---|"]
        return (heading + rows).joined(separator: "\n")
    }

    /// A setting in the JSON form; `value` is the format of its text.
    private struct Entry: Encodable {
        let key, value, meaning, environment: String
        let `default`: String?
        let secret: Bool
    }

    /// The reference as a JSON array of objects.
    public var json: String {
        get throws {
            let entries = definitions.map {
                Entry(
                    key: $0.key, value: $0.form, meaning: $0.summary,
                    environment: ProgramSettings.environmentVariable(forKey: $0.key), default: $0.defaultText,
                    secret: $0.isSecret)
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(entries), as: UTF8.self)
        }
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
