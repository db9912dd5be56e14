import Glibc
import Syntax

/// Where the database is and how it is reached: a URL such as
/// `postgresql://user@a:5432,b,c/findmybike?sslmode=verify-full&sslrootcert=/etc/ssl/database.crt`.
///
/// Several hosts are servers of one database; one of them is the primary. A host is a name, an address (IPv6 in
/// brackets), or the folder of a Unix socket: `?host=/run/postgresql`, with `&port=` if it is not 5432. The URL never
/// contains a secret: a password is in a file (`passfile`), as libpq reads it
/// (https://www.postgresql.org/docs/15/libpq-pgpass.html).
package struct ConnectionSettings: Sendable, Hashable {
    /// A server of the database, one of which is the primary.
    package struct Host: Sendable, Hashable {
        /// A name, an address, or an absolute path.
        package let name: String
        package let port: UInt16

        /// As in `db1:5432`, or the path of a Unix socket.
        package var summary: String { name.begins(with: "/") ? "\(name)/.s.PGSQL.\(port)" : "\(name):\(port)" }

        /// Whether all data stays on this machine.
        package var isLocal: Bool {
            if name.begins(with: "/") || name == "localhost" || name == "::1" { return true }
            return name.begins(with: "127.") && name.utf8.allSatisfy { $0 < UInt8(ascii: ":") }
        }
    }

    /// libpq's `sslmode`, without the modes that fall back to an unencrypted connection.
    package enum SSLMode: String, Sendable, CaseIterable {
        case disable, require
        case verifyCA = "verify-ca"
        case verifyFull = "verify-full"
    }

    package let hosts: [Host]
    /// The user of the URL, or else the user that this program runs as.
    package let user: String
    package var database: String
    /// Nil for servers on this machine, if the URL does not say: TLS if the server offers it.
    package let sslMode: SSLMode?
    /// The absolute paths of files: `sslrootcert`, `sslcert`, `sslkey`, `passfile`.
    package let files: [File: String]
    /// The name of this program in the server's views and log.
    package var applicationName = "findmybike-registry"
    /// The server's settings for each connection, such as `search_path`.
    package var session: [String: String] = [:]

    /// A file with a secret or a certificate, by the name of libpq's parameter.
    package enum File: String, Sendable, CaseIterable {
        case rootCertificate = "sslrootcert"
        case certificate = "sslcert"
        case key = "sslkey"
        case passwords = "passfile"
    }

    /// The error in a URL, and what to write instead.
    package struct Invalid: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// Reads a URL.
    ///
    /// - Throws: ``Invalid``.
    package init(_ text: String) throws {
        let url = try DatabaseURL(text)
        hosts = try Self.hosts(url)
        database = url.database
        user = try url.user ?? Self.programsUser()
        files = try Self.files(url)
        sslMode = try Self.sslMode(url, hosts: hosts, files: files)
    }

    /// The hosts before the path, or those of the options `host` and `port`; by default this machine’s socket.
    private static func hosts(_ url: DatabaseURL) throws -> [Host] {
        guard let names = url.options["host"] else {
            guard url.options["port"] == nil else {
                throw Invalid(description: "‘port’ belongs to ‘host’: write the port after the host, as in //db:5432/")
            }
            return url.hosts.isEmpty ? [Host(name: "/run/postgresql", port: 5432)] : url.hosts
        }
        guard url.hosts.isEmpty else {
            throw Invalid(description: "hosts are given twice: before the path and as ‘host’. Remove one of them")
        }
        let paths = names.split(at: ",", omittingEmptySubsequences: false).map(String.init)
        let ports = try (url.options["port"] ?? "5432").split(at: ",", omittingEmptySubsequences: false)
            .map { try DatabaseURL.port($0) }
        guard ports.count == 1 || ports.count == paths.count else {
            throw Invalid(description: "\(paths.count) hosts have \(ports.count) ports: give one port, or one for each")
        }
        return try paths.enumerated().map { index, path in
            let name = try DatabaseURL.host(path)
            return Host(name: name, port: ports.count == 1 ? ports[0] : ports[index])
        }
    }

    /// The files of the options.
    private static func files(_ url: DatabaseURL) throws -> [File: String] {
        var files: [File: String] = [:]
        for file in File.allCases {
            guard let path = url.options[file.rawValue] else { continue }
            guard path.begins(with: "/") else {
                throw Invalid(description: "‘\(file.rawValue)’ is not an absolute path: \(path)")
            }
            files[file] = path
        }
        guard (files[.certificate] == nil) == (files[.key] == nil) else {
            throw Invalid(description: "‘sslcert’ and ‘sslkey’ belong together: give both or neither")
        }
        return files
    }

    /// The mode, which servers on other machines need.
    private static func sslMode(_ url: DatabaseURL, hosts: [Host], files: [File: String]) throws -> SSLMode? {
        guard let text = url.options["sslmode"] else {
            guard hosts.allSatisfy(\.isLocal) else {
                throw Invalid(
                    description: "a server on another machine needs ‘sslmode’: write "
                        + "sslmode=verify-full&sslrootcert=FILE, or sslmode=disable if nobody can listen to the network"
                )
            }
            return nil
        }
        guard let mode = SSLMode(rawValue: text) else {
            let known = SSLMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw Invalid(description: "‘sslmode’ must be one of \(known)")
        }
        if mode == .verifyCA || mode == .verifyFull, files[.rootCertificate] == nil {
            throw Invalid(
                description: "sslmode=\(text) needs ‘sslrootcert’: the file with the certificate of the authority that "
                    + "signed the server’s, or /etc/ssl/certs/ca-certificates.crt for a public one")
        }
        return mode
    }

    /// The name of the user that this program runs as.
    private static func programsUser() throws -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16384)
        let status = getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found)
        guard status == 0, found != nil, let name = entry.pw_name else {
            throw Invalid(description: "the URL names no user: write postgresql://USER@HOST/DATABASE")
        }
        return String(cString: name)
    }
}

extension ConnectionSettings: CustomStringConvertible {
    /// The URL with all defaults, without a secret, since it never contains one.
    package var description: String {
        let isPath = hosts.contains { $0.name.begins(with: "/") }
        var options: [(String, String)] = []
        if isPath {
            options.append(("host", hosts.map(\.name).joined(separator: ",")))
            options.append(("port", hosts.map { String($0.port) }.joined(separator: ",")))
        }
        if let sslMode { options.append(("sslmode", sslMode.rawValue)) }
        for file in File.allCases {
            if let path = files[file] { options.append((file.rawValue, path)) }
        }
        let authority = isPath ? "" : hosts.map(Self.text).joined(separator: ",")
        let query = options.map { "\($0)=\(DatabaseURL.encoded($1))" }.joined(separator: "&")
        return "postgresql://\(DatabaseURL.encoded(user))@\(authority)/\(DatabaseURL.encoded(database))"
            + (query.isEmpty ? "" : "?" + query)
    }

    /// The host as a URL has it.
    private static func text(_ host: Host) -> String {
        (host.name.has(":") ? "[\(host.name)]" : host.name) + ":\(host.port)"
    }
}
