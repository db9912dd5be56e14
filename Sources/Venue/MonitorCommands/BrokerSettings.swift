import ArgumentParser
import CommandSupport
import Foundation
import Logging
import MQTT
import Monitor
import MonitorConfiguration
import Settings
import StationStatus
import Syntax

/// The venue's broker in the settings.
struct BrokerSettings {
    private let configuration: BrokerConfiguration
    private let node: String
    private let prefix: String
    private let discovery: String
    private let takesAnswers: Bool

    /// Returns nil if no broker is set.
    init?(_ settings: ProgramSettings) throws(CommandFailure) {
        guard let url = settings.value(MonitorSettings.brokerURL) else { return nil }
        node = try Self.node(settings)
        guard var configuration = BrokerConfiguration(url: url, clientID: "findmybike-\(node)") else {
            throw CommandFailure(
                .configuration,
                "mqtt.url is ‘\(url)’: write it as mqtt://host:port or mqtts://host:port; for user and password "
                    + "set mqtt.user and mqtt.passwordFile")
        }
        configuration.certificateAuthority = settings.value(MonitorSettings.brokerAuthority)
        configuration.user = settings.value(MonitorSettings.brokerUser)
        configuration.password = try Self.password(settings)
        if configuration.password != nil, configuration.user == nil {
            throw CommandFailure(.configuration, "mqtt.passwordFile also needs mqtt.user: set both")
        }
        self.configuration = configuration
        prefix = try Self.topic(MonitorSettings.brokerTopic, settings)
        discovery = try Self.topic(MonitorSettings.brokerDiscovery, settings)
        takesAnswers = settings.value(MonitorSettings.brokerAnswers)
    }

    /// The connection of a receiver, which needs a separate identifier.
    func receiver(_ name: String) -> BrokerConfiguration {
        var own = configuration
        own.clientID += "-\(name)"
        return own
    }

    /// The link to the broker, which the monitor runs.
    ///
    /// - Parameter onConnected: called each time that the broker can receive alarms again.
    func link(
        _ advice: AlarmAdvice, _ source: any VenueSource, _ logger: Logger,
        onConnected: @escaping @Sendable () -> Void
    ) -> VenueBroker {
        if configuration.password != nil, !configuration.isEncrypted {
            logger.notice("the broker’s password crosses the network unencrypted: use mqtts://")
        }
        return VenueBroker(
            configuration, topics: VenueTopics(prefix: prefix, node: node, advice: advice.text),
            discovery: HomeAssistantDiscovery(
                prefix: discovery, node: node, version: MonitorCommand.configuration.version,
                takesAnswers: takesAnswers),
            takesAnswers: takesAnswers, source: source, logger: logger, onConnected: onConnected)
    }

    /// The station's topic level: by the settings, or the machine's name.
    private static func node(_ settings: ProgramSettings) throws(CommandFailure) -> String {
        guard let node = settings.value(MonitorSettings.brokerNode) else {
            let name = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
            let level = String(name.map { VenueTopics.isNode(String($0)) ? $0 : "-" })
            return String(level.prefix(64))
        }
        guard VenueTopics.isNode(node) else {
            throw CommandFailure(.configuration, "mqtt.node is ‘\(node)’: use at most 64 letters, digits, _ and -")
        }
        return node
    }

    /// A topic in the settings, checked.
    private static func topic(
        _ setting: DefaultedSetting<String>, _ settings: ProgramSettings
    ) throws(CommandFailure) -> String {
        let topic = settings.value(setting)
        // Levels must not be empty, and + and # are reserved for subscribers (MQTT 3.1.1, section 4.7).
        let levels = topic.split(at: "/", omittingEmptySubsequences: false)
        let isValid = levels.allSatisfy { level in
            !level.isEmpty && !level.unicodeScalars.contains { "+#\0".unicodeScalars.contains($0) }
        }
        guard isValid else {
            throw CommandFailure(.configuration, "\(setting.key) is ‘\(topic)’: no level may be empty or have + or #")
        }
        return topic
    }

    /// The broker's password in its file; nil if none is set.
    private static func password(_ settings: ProgramSettings) throws(CommandFailure) -> String? {
        guard let path = settings.value(MonitorSettings.brokerPassword) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.configuration, "mqtt.passwordFile: \(path) cannot be read by the monitor’s user")
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
