import Syntax

/// The address of a broker, and the credentials for it.
public struct BrokerConfiguration: Hashable, Sendable {
    /// A host name or an address.
    public var host: String
    public var port: Int
    /// Whether the connection is encrypted and the broker's certificate verified.
    public var isEncrypted: Bool
    /// The PEM file of the authority that issued the certificate; nil trusts the system's authorities.
    public var certificateAuthority: String?
    public var user: String?
    public var password: String?
    /// The client identifier. It must be unique: a broker disconnects the older of two clients with the same
    /// identifier.
    public var clientID: String
    /// The maximum time for the broker to accept the connection, and to acknowledge a message or a subscription.
    public var patience = Duration.seconds(10)
    /// The time in seconds after which a broker that is silent is asked whether it is there. A broker that does not answer
    /// in this time has lost the connection.
    public var keepAlive: Int32 = 30

    /// - Parameter url: `mqtt://host`, `mqtts://host:8883`; without a port 1883, and 8883 with TLS.
    /// - Returns: nil if the URL has another form.
    public init?(url: String, clientID: String) {
        isEncrypted = url.begins(with: "mqtts://")
        guard var rest = url.dropping(prefix: isEncrypted ? "mqtts://" : "mqtt://") else { return nil }
        rest = rest.dropping(suffix: "/") ?? rest
        let isHost = !rest.unicodeScalars.contains {
            $0.properties.isWhitespace || "@?#/".unicodeScalars.contains($0)
        }
        guard !rest.isEmpty, isHost else { return nil }
        port = isEncrypted ? 8883 : 1883
        if rest.begins(with: "[") {
            guard let end = rest.unicodeScalars.firstIndex(of: "]") else { return nil }
            host = String(rest[rest.utf8.index(after: rest.startIndex)..<end])
            rest = rest[rest.utf8.index(after: end)...]
            guard rest.isEmpty || rest.begins(with: ":") else { return nil }
        } else {
            let name = rest.part(beforeScalar: { $0 == ":" })
            host = String(name)
            rest = rest[name.endIndex...]
        }
        if !rest.isEmpty {
            guard let port = UInt16(digits: rest.dropFirst()), port > 0 else { return nil }
            self.port = Int(port)
        }
        guard !host.isEmpty else { return nil }
        self.clientID = clientID
    }

    /// The address for messages to people; contains no secret.
    public var address: String { "\(isEncrypted ? "mqtts" : "mqtt")://\(host):\(port)" }
}
