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
    /// The maximum time for the broker to accept the connection.
    public var patience = Duration.seconds(10)

    /// - Parameter url: `mqtt://host`, `mqtts://host:8883`; without a port 1883, and 8883 with TLS.
    /// - Returns: nil if the URL has another form.
    public init?(url: String, clientID: String) {
        guard let scheme = ["mqtt://", "mqtts://"].first(where: url.hasPrefix) else { return nil }
        isEncrypted = scheme == "mqtts://"
        var rest = url.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        guard !rest.isEmpty, !rest.contains(where: { $0.isWhitespace || "@?#/".contains($0) }) else { return nil }
        port = isEncrypted ? 8883 : 1883
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
        } else {
            host = String(rest.prefix { $0 != ":" })
            rest = rest.dropFirst(host.count)
        }
        if !rest.isEmpty {
            guard let port = Int(rest.dropFirst()), (1...65_535).contains(port) else { return nil }
            self.port = port
        }
        guard !host.isEmpty else { return nil }
        self.clientID = clientID
    }

    /// The address for messages to people; contains no secret.
    public var address: String { "\(isEncrypted ? "mqtts" : "mqtt")://\(host):\(port)" }
}
