import Syntax

/// The address of a proxy: a host name or an Internet address, and a port.
public struct ProxyAddress: Hashable, Sendable {
    /// The port of ESPHome's native API.
    public static let standardPort: UInt16 = 6053

    public let host: String
    public let port: UInt16

    public init(host: String, port: UInt16 = standardPort) {
        self.host = host
        self.port = port
    }

    /// Parses `host`, `host:port`, `[IPv6]` or `[IPv6]:port`; an IPv6 address without a port needs no brackets.
    public init?(_ text: String) {
        var host = Substring(text)
        var port: Substring?
        if text.begins(with: "["), let end = text.unicodeScalars.firstIndex(of: "]") {
            host = text[text.unicodeScalars.index(after: text.startIndex)..<end]
            let rest = text[text.unicodeScalars.index(after: end)...]
            guard rest.isEmpty || rest.begins(with: ":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.unicodeScalars.firstIndex(of: ":"),
            colon == text.unicodeScalars.lastIndex(of: ":")
        {
            host = text[..<colon]
            port = text[text.unicodeScalars.index(after: colon)...]
        }
        guard Self.isHost(host) else { return nil }
        self.host = String(host)
        guard let port else {
            self.port = Self.standardPort
            return
        }
        guard let number = UInt16(digits: port), number > 0 else { return nil }
        self.port = number
    }

    /// Whether the text may be a host's: letters, digits and `.-_`, and `:%` in IPv6 addresses; 253 characters at most
    /// (RFC 1035, section 2.3.4).
    private static func isHost(_ text: Substring) -> Bool {
        (1...253).contains(text.utf8.count) && text.utf8.allSatisfy(isInHost)
    }

    private static func isInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: ".-_:%".utf8.contains(byte)
        }
    }
}

extension ProxyAddress: CustomStringConvertible {
    public var description: String { host.has(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension ProxyAddress {
    /// Connects and closes the connection, which takes the proxy away from no program: it serves one subscriber, but
    /// accepts several connections.
    ///
    /// - Returns: the reason why it cannot be reached; nil if it can.
    public func probe() async -> ProxyError? {
        do throws(ProxyError) {
            await (try ProxySocket.connect(to: self)).close()
            return nil
        } catch {
            return error
        }
    }
}
