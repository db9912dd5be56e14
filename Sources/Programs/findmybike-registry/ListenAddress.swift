import Glibc
import Syntax

/// An address and a port to listen on.
struct ListenAddress: Sendable, CustomStringConvertible {
    /// A name, or an address without brackets.
    let host: String
    /// 0 takes any free port.
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `127.0.0.1:8080`, `localhost:0` or `[::1]:8080`; nil for other texts.
    init?(_ text: String) {
        guard let colon = text.unicodeScalars.lastIndex(of: ":"),
            let port = UInt16(digits: text[text.unicodeScalars.index(after: colon)...])
        else {
            return nil
        }
        var host = text[..<colon]
        if let inner = host.dropping(prefix: "[")?.dropping(suffix: "]") {
            host = inner
        } else if host.has(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: Int(port))
    }

    /// Whether the two addresses cannot be listened on at the same time.
    func conflicts(with other: ListenAddress) -> Bool {
        let everywhere: Set = ["0.0.0.0", "::"]
        return port == other.port && port != 0
            && (host == other.host || everywhere.contains(host) || everywhere.contains(other.host))
    }

    /// The reason why the host cannot be listened on, on any port.
    enum Obstacle {
        case unknownHost
        /// The system's error number.
        case refused(Int32)
    }

    /// The obstacle; nil if the host can be listened on.
    var obstacle: Obstacle? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "0", &hints, &found)
        guard code == 0, let first = found else { return .unknownHost }
        defer { freeaddrinfo(first) }
        let probe = socket(first.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        guard probe >= 0 else { return .refused(errno) }
        defer { close(probe) }
        // Port 0 uses any free port, and only for a moment.
        return bind(probe, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 ? nil : .refused(errno)
    }

    var description: String { host.has(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
