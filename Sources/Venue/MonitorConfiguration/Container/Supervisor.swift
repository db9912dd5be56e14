import Foundation
import HTTPClient
import Settings
import Syntax

/// Home Assistant's Supervisor, as an app sees it.
public struct Supervisor: Sendable {
    /// The variable of the environment with the app's token, which changes with each start.
    public static let tokenVariable = "SUPERVISOR_TOKEN"

    private let address: String
    private let token: String
    private let patience: Duration

    /// - Parameters:
    ///   - address: the Supervisor's address; by default its name in the network of apps.
    ///   - patience: the time for an answer: the Supervisor is on this machine. Nothing is heard meanwhile.
    public init(token: String, address: String = "http://supervisor", patience: Duration = .seconds(5)) {
        self.token = token
        self.address = address
        self.patience = patience
    }

    /// The settings that make the monitor listen through Home Assistant, and show displays in its ingress.
    ///
    /// - Parameter tokenFile: the file with the token.
    public func settings(tokenFile: String) -> [String: String] {
        let receiver = ["name": "home", "home-assistant": "\(address)/core", "tokenFile": tokenFile]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let receivers = (try? encoder.encode([receiver])).map { String(decoding: $0, as: UTF8.self) }
        return [
            MonitorSettings.radioBackend.key: MonitorSettings.receiversOnly,
            MonitorSettings.receivers.key: receivers ?? "[]",
            // The standard port of ingress, and the only address that may use it.
            MonitorSettings.displayListen.key: "0.0.0.0:8099",
            MonitorSettings.displayGateway.key: "172.30.32.2",
            MonitorSettings.brokerNode.key: "home",
        ]
    }

    /// Where Home Assistant's home is, as settings of the station's place.
    public func home() async throws(ContainerFailure) -> [String: String] {
        guard let home: Home = try await get("/core/api/config"),
            MonitorSettings.latitude.accepts("\(home.latitude)"),
            MonitorSettings.longitude.accepts("\(home.longitude)")
        else {
            throw .noSupervisor("it does not tell Home Assistant’s place")
        }
        return [
            MonitorSettings.latitude.key: "\(home.latitude)", MonitorSettings.longitude.key: "\(home.longitude)",
            MonitorSettings.accuracy.key: "\(min(max(home.radius ?? 100, 0), 10_000))",
        ]
    }

    /// The broker of Home Assistant, as settings, and its password; nil if there is none.
    ///
    /// - Parameter passwordFile: the file in which the password will be.
    public func broker(passwordFile: String) async throws(ContainerFailure) -> ([String: String], password: String)? {
        guard let answer: Answer<Broker> = try await get("/services/mqtt"), let broker = answer.data else { return nil }
        guard !broker.host.isEmpty, broker.host.utf8.allSatisfy(Self.isOfHost) else {
            throw .noSupervisor("it tells no host of the broker")
        }
        var settings = [
            MonitorSettings.brokerURL.key: "\(broker.ssl == true ? "mqtts" : "mqtt")://\(broker.host):\(broker.port)"
        ]
        guard let user = broker.username, !user.isEmpty, let password = broker.password else { return (settings, "") }
        guard MonitorSettings.brokerUser.accepts(user) else {
            throw .noSupervisor("the broker’s user has control characters")
        }
        settings[MonitorSettings.brokerUser.key] = user
        settings[MonitorSettings.brokerPassword.key] = passwordFile
        return (settings, password)
    }

    /// Whether a byte may be in a host's name or address, so that a URL with it has the same parts.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private struct Home: Decodable {
        let latitude: Double
        let longitude: Double
        let radius: Double?
    }

    private struct Broker: Decodable {
        let host: String
        let port: UInt16
        let ssl: Bool?
        let username: String?
        let password: String?
    }

    private struct Answer<Value: Decodable>: Decodable {
        let data: Value?
    }

    /// A response in JSON; nil if the Supervisor refuses the request, or answers with something else.
    private func get<Value: Decodable>(_ path: String) async throws(ContainerFailure) -> Value? {
        do {
            // The token goes to the machine itself only, and nothing is encrypted there.
            let http = try HTTPConnection(HTTPConfiguration(responseLimit: 1 << 20, addresses: .privateOnly))
            let response = try await http.send(
                HTTPRequest(
                    .get, url: address + path, headers: [("Authorization", "Bearer \(token)")], timeout: patience))
            if (500..<600).contains(response.status) {
                throw ContainerFailure.noSupervisor("status \(response.status)")
            }
            guard response.status == 200 else { return nil }
            return try? JSONDecoder().decode(Value.self, from: Data(response.body))
        } catch let failure as ContainerFailure {
            throw failure
        } catch {
            throw .noSupervisor("\(error)")
        }
    }
}
