public import Foundation
import Settings
import Syntax

/// The settings that the owner of a container has made in the options of a Home Assistant app, or in the
/// environment.
public struct ContainerOptions: Hashable, Sendable {
    /// The variable of the environment with the code.
    public static let codeVariable = "FINDMYBIKE_CODE"

    /// The registry's address as it was typed; nil if only the settings file has it.
    public private(set) var registry: String?
    /// The code that makes the container a station; nil if none is given.
    public private(set) var code: String?
    /// Whether the station uses the place of Home Assistant's home instead of the registry's.
    public private(set) var isAtHome = false
    /// Whether Home Assistant gets alarms through its broker.
    public private(set) var alarmsHome = false
    /// Other settings of the monitor, by key.
    public private(set) var settings: [String: String] = [:]

    /// - Parameter environment: the container's.
    public init(environment: [String: String]) {
        registry = Self.given(environment[MonitorSettings.registryURL.environmentVariable])
        code = Self.given(environment[Self.codeVariable])
    }

    /// - Parameter file: `options.json` as Home Assistant's Supervisor writes it, by the schema in the app's
    ///   `config.yaml`.
    /// - Throws: ``ContainerFailure/unreadableOptions``. Whether the values are valid shows only when the settings are read.
    public init(_ file: Data) throws(ContainerFailure) {
        guard let options = try? JSONDecoder().decode(File.self, from: file) else { throw .unreadableOptions }
        registry = Self.given(options.registry)
        code = Self.given(options.code)
        isAtHome = options.place == "home_assistant"
        alarmsHome = options.alarms ?? true
        settings[MonitorSettings.report.key] = Self.given(options.report)
        settings[MonitorSettings.partners.key] = options.partners.map { "\($0)" }
        settings[MonitorSettings.alarmContact.key] = Self.given(options.contact)
        settings[MonitorSettings.logLevel.key] = Self.given(options.logLevel)
    }

    /// A message about the settings that options became, with the names of the options.
    public static func named(in message: String) -> String {
        let options: [(variable: String, name: File.CodingKeys)] = [
            (MonitorSettings.registryURL.environmentVariable, .registry),
            (MonitorSettings.report.environmentVariable, .report),
            (MonitorSettings.alarmContact.environmentVariable, .contact),
            (MonitorSettings.logLevel.environmentVariable, .logLevel),
        ]
        return options.reduce(message) { message, option in
            message.replacing(text: option.variable, with: "the option ‘\(option.name.stringValue)’")
        }
    }

    private struct File: Decodable {
        var registry: String?
        var code: String?
        var report: String?
        var partners: Bool?
        var place: String?
        var alarms: Bool?
        var contact: String?
        var logLevel: String?

        enum CodingKeys: String, CodingKey {
            case registry, code, report, partners, place, alarms, contact
            case logLevel = "log_level"
        }
    }

    /// A text without spaces around it; nil for a field that was left empty.
    private static func given(_ text: String?) -> String? {
        let text = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return text.isEmpty ? nil : text
    }
}

/// The reason why a container cannot start to listen.
public enum ContainerFailure: Error, Hashable, Sendable {
    /// `options.json` does not have the app's schema.
    case unreadableOptions
    /// The Supervisor gives no usable response, for this reason.
    case noSupervisor(String)
}

extension ContainerFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadableOptions: "the options cannot be read: correct them, and start again"
        case .noSupervisor(let reason):
            "Home Assistant’s Supervisor does not answer (\(reason)): it is asked again every 30 seconds"
        }
    }
}
