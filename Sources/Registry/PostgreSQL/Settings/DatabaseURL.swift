import Syntax

/// The parts of a database's URL, decoded. Foundation's URLs have only one host.
struct DatabaseURL {
    private(set) var user: String?
    private(set) var hosts: [ConnectionSettings.Host] = []
    private(set) var database = ""
    private(set) var options: [String: String] = [:]

    private typealias Invalid = ConnectionSettings.Invalid

    /// The options that a URL may have. Other options of libpq are either set by this program (deadlines, encoding,
    /// names) or not supported.
    private static let knownOptions = ["host", "passfile", "port", "sslcert", "sslkey", "sslmode", "sslrootcert"]

    /// Reads a URL.
    ///
    /// - Throws: ``ConnectionSettings/Invalid``, without any part of a password.
    init(_ text: String) throws {
        guard let rest = text.dropping(prefix: "postgresql://") ?? text.dropping(prefix: "postgres://") else {
            throw Invalid(description: "expected a URL that begins with postgresql://")
        }
        let parts = rest.split(at: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(at: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // A password may contain ‘/’, and no error must show a part of it.
        if let at = parts[0].unicodeScalars.lastIndex(of: "@") { try Self.refusePassword(parts[0][..<at]) }
        try readAuthority(path[0])
        guard path.count == 2, !path[1].isEmpty else {
            throw Invalid(description: "the URL names no database: write postgresql://USER@HOST/DATABASE")
        }
        database = try Self.decoded(path[1])
        if parts.count == 2 { try readOptions(parts[1]) }
    }

    /// Reads the user and the hosts.
    private mutating func readAuthority(_ text: Substring) throws {
        var list = text
        if let at = text.unicodeScalars.lastIndex(of: "@") {
            user = try Self.decoded(text[..<at])
            guard user?.isEmpty == false else { throw Invalid(description: "the user before ‘@’ is empty") }
            list = text[text.unicodeScalars.index(after: at)...]
        }
        guard !list.isEmpty else { return }
        hosts = try list.split(at: ",", omittingEmptySubsequences: false).map(Self.hostWithPort)
    }

    /// Refuses a password before ‘@’.
    private static func refusePassword(_ login: Substring) throws {
        guard !login.unicodeScalars.contains(":") else {
            throw Invalid(
                description: "the URL contains a password, which logs and process lists would show: put it into a file "
                    + "with the line HOST:PORT:DATABASE:USER:PASSWORD and mode 0600, and write passfile=FILE")
        }
    }

    private mutating func readOptions(_ text: Substring) throws {
        for pair in text.split(at: "&") {
            let parts = pair.split(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(parts[0])
            guard name != "password" else {
                throw Invalid(description: "the URL contains a password: put it into a file and write passfile=FILE")
            }
            guard Self.knownOptions.contains(name) else {
                let options = Self.knownOptions.joined(separator: ", ")
                throw Invalid(description: "‘\(name)’ is not supported: use \(options)")
            }
            let value = parts.count == 2 ? try Self.decoded(parts[1]) : ""
            guard !value.isEmpty else { throw Invalid(description: "‘\(name)’ has no value") }
            guard options.updateValue(value, forKey: name) == nil else {
                throw Invalid(description: "‘\(name)’ occurs twice")
            }
        }
    }

    /// Reads a host with a port, which is 5432 by default.
    private static func hostWithPort(_ text: Substring) throws -> ConnectionSettings.Host {
        guard text.begins(with: "[") else {
            let parts = text.split(at: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2 else {
                throw Invalid(description: "‘\(text)’ is invalid: write an IPv6 address in brackets, as in [::1]:5432")
            }
            return .init(name: try host(decoded(parts[0])), port: parts.count == 2 ? try port(parts[1]) : 5432)
        }
        guard let end = text.unicodeScalars.firstIndex(of: "]") else {
            throw Invalid(description: "‘\(text)’ has no closing bracket")
        }
        let rest = text[text.unicodeScalars.index(after: end)...]
        guard rest.isEmpty || rest.begins(with: ":") else {
            throw Invalid(description: "‘\(text)’ is invalid: expected [ADDRESS]:PORT")
        }
        let name = try decoded(text[text.unicodeScalars.index(after: text.startIndex)..<end])
        return .init(name: try host(name), port: rest.isEmpty ? 5432 : try port(rest.dropFirst()))
    }

    /// A host that libpq reads as one host: for libpq, a comma separates hosts.
    static func host(_ name: String) throws -> String {
        let isPath = name.begins(with: "/")
        let isValid = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: ":"), UInt8(ascii: "%"):
                true
            default: isPath && byte != UInt8(ascii: ",") && byte >= 0x20
            }
        }
        guard !name.isEmpty, isValid else {
            throw Invalid(description: "‘\(name)’ is not a host: expected a name, an address or an absolute path")
        }
        return name
    }

    /// Reads a port from 1 to 65535.
    static func port(_ text: Substring) throws -> UInt16 {
        guard let port = UInt16(digits: text), port > 0 else {
            throw Invalid(description: "‘\(text)’ is not a port: expected 1 to 65535")
        }
        return port
    }

    /// Replaces `%41` by `A`. Control characters are refused, since no name or path needs one.
    private static func decoded(_ text: Substring) throws -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            rest = rest.dropFirst(2)
            guard digits.count == 2, digits.first != UInt8(ascii: "+"),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw Invalid(description: "‘%’ must be followed by two hexadecimal digits: write %25 for ‘%’") }
            bytes.append(value)
        }
        guard let string = String(validating: bytes, as: UTF8.self), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw Invalid(description: "the URL contains a control character, or is not UTF-8") }
        return string
    }

    /// Replaces what has a meaning in a URL, such as ‘@’ by `%40`.
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "/"), UInt8(ascii: ","):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
