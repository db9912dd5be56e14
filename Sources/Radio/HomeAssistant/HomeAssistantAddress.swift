import Syntax

/// The address of an installation of Home Assistant: the URL of its start page.
public struct HomeAssistantAddress: Hashable, Sendable {
    /// Whether the URL begins with `https://`.
    public let isEncrypted: Bool
    /// The host and, if it is not the standard one, the port, as in the URL.
    public let authority: String
    /// The path of the start page, without a slash at its end; empty unless a proxy has put Home Assistant under one.
    private let folder: String

    /// The maximum length of the authority in bytes: a domain name (253) and a port.
    private static let maximumAuthority = 260
    /// The maximum length of the URL in bytes.
    private static let maximumLength = 1024

    /// Parses `http://host:port` or `https://host:port`, with a path if a proxy has put Home Assistant under one.
    ///
    /// - Returns: nil for any other text, and for a URL with a user, a password, a query or a fragment.
    public init?(_ text: String) {
        let rest: Substring
        if let afterScheme = text.dropping(prefix: "https://") {
            isEncrypted = true
            rest = afterScheme
        } else if let afterScheme = text.dropping(prefix: "http://") {
            isEncrypted = false
            rest = afterScheme
        } else {
            return nil
        }
        let authority = rest.part(beforeScalar: { $0 == "/" })
        guard (1...Self.maximumAuthority).contains(authority.utf8.count),
            authority.utf8.allSatisfy(Self.isInAuthority), text.utf8.count <= Self.maximumLength,
            rest.utf8.allSatisfy(Self.isInPath)
        else { return nil }
        self.authority = String(authority)
        let names = rest.dropFirst(authority.count).trimming(scalars: { $0 == "/" })
        folder = names.isEmpty ? "" : "/\(names)"
    }

    /// The URL of the server, without the path.
    var url: String { "\(scheme)://\(authority)/" }
    /// The path of the WebSocket.
    var path: String { folder + "/api/websocket" }

    private var scheme: String { isEncrypted ? "https" : "http" }

    /// Visible ASCII characters, except those that begin a query or a fragment, and the backslash, which some programs
    /// read as a slash.
    private static func isInPath(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"?#\\".utf8.contains(byte)
    }

    /// Letters, digits, and the punctuation of ports and IPv6 addresses; no `@`, which ends a user and a password.
    private static func isInAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: ".-_:[]".utf8.contains(byte)
        }
    }
}

extension HomeAssistantAddress: CustomStringConvertible {
    public var description: String { "\(scheme)://\(authority)\(folder)" }
}
