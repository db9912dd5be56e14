import Syntax

/// The address at which a controller serves HCI as a stream: `unix:/run/controller` or `tcp:192.0.2.7:9999`.
public enum H4Address: Hashable, Sendable {
    case unix(path: String)
    case tcp(host: String, port: UInt16)

    /// Parses the format of ``description``. An IPv6 address must be in brackets.
    public init(_ text: String) throws(HCIError) {
        let parts = text.split(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { throw .invalidAddress(text) }
        switch parts[0] {
        case "unix": self = .unix(path: String(parts[1]))
        case "tcp":
            guard let colon = parts[1].utf8.lastIndex(of: UInt8(ascii: ":")), colon > parts[1].startIndex,
                let port = UInt16(digits: parts[1][parts[1].utf8.index(after: colon)...]), port > 0
            else { throw .invalidAddress(text) }
            self = .tcp(host: parts[1][..<colon].trimmingBrackets, port: port)
        default: throw .invalidAddress(text)
        }
    }
}

extension H4Address: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.has(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        }
    }
}

extension Substring {
    /// The text without the brackets around an IPv6 address.
    fileprivate var trimmingBrackets: String {
        String(dropping(prefix: "[")?.dropping(suffix: "]") ?? self)
    }
}
