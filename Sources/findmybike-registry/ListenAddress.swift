/// An address and a port to listen on.
struct ListenAddress: Sendable, CustomStringConvertible {
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `127.0.0.1:8080`, `localhost:0` or `[::1]:8080`.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("[") && host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: Int(port))
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The address cannot be listened on.
struct ListenError: Error, CustomStringConvertible {
    let address: ListenAddress
    let reason: String

    var description: String {
        "cannot listen on \(address) (\(reason)): stop what uses it, or set another address with ‘listen’"
    }
}
