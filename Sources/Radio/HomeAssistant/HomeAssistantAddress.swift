import Syntax

/// The address of a Home Assistant: the URL of its start page.
public struct HomeAssistantAddress: Hashable, Sendable {
    public let isEncrypted: Bool
    /// The host and, if it is not the standard one, the port, as in the URL.
    public let authority: String
    /// The path of the WebSocket.
    let path: String

    /// Parses `http://host:port` or `https://host:port`, with a path if a proxy has put Home Assistant under one.
    public init?(_ text: String) {
        let rest: Substring
        if let after = text.dropping(prefix: "https://") {
            (isEncrypted, rest) = (true, after)
        } else if let after = text.dropping(prefix: "http://") {
            (isEncrypted, rest) = (false, after)
        } else {
            return nil
        }
        let host = rest.part(beforeScalar: { $0 == "/" })
        guard (1...260).contains(host.utf8.count), host.utf8.allSatisfy(Self.isInHost),
            text.utf8.count <= 1024, rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#\\".utf8.contains($0) })
        else { return nil }
        authority = String(host)
        let folder = rest.dropFirst(host.count).trimming(scalars: { $0 == "/" })
        path = (folder.isEmpty ? "" : "/\(folder)") + "/api/websocket"
    }

    var url: String { "\(isEncrypted ? "https" : "http")://\(authority)/" }

    /// Letters, digits, and what ports and IPv6 addresses need; no user and no password.
    private static func isInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: ".-_:[]".utf8.contains(byte)
        }
    }
}

extension HomeAssistantAddress: CustomStringConvertible {
    public var description: String {
        "\(isEncrypted ? "https" : "http")://\(authority)\(path.dropping(suffix: "/api/websocket") ?? "")"
    }
}
