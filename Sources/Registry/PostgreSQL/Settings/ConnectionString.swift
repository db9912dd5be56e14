import CPostgreSQL
import Glibc
import Syntax

extension ConnectionSettings {
    /// The connection string for one of the hosts, which gives every option that libpq would otherwise read from the
    /// environment (`PGHOST`, `PGPASSWORD` …) or from files in the home folder
    /// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-PARAMKEYWORDS).
    ///
    /// - Throws: ``PostgreSQLError`` if that is impossible.
    func connectionString(for host: Host) throws -> String {
        // libpq reads this variable even if the string has all options of a service, and an empty name is an error.
        guard getenv("PGSERVICE") == nil else {
            throw PostgreSQLError.unavailable("PGSERVICE is set in the environment: remove it")
        }
        try checkPasswordFile()
        var values = explicitValues(for: host)
        try Self.eachOption { option in
            let keyword = String(cString: option.keyword)
            guard values[keyword] == nil, keyword != "service" else { return }
            if let compiled = option.compiled.map({ String(cString: $0) }), !compiled.isEmpty {
                values[keyword] = compiled
            } else if let variable = option.envvar, getenv(variable) != nil {
                values[keyword] = ""
            }
        }
        return values.sorted { $0.key < $1.key }.map { "\($0)='\(Self.escaped($1))'" }.joined(separator: " ")
    }

    /// The options that this program sets.
    private func explicitValues(for host: Host) -> [String: String] {
        [
            "host": host.name, "hostaddr": "", "port": String(host.port), "dbname": database, "user": user,
            "password": "", "passfile": files[.passwords] ?? Self.noFile,
            "sslmode": sslMode?.rawValue ?? "prefer",
            "sslrootcert": files[.rootCertificate] ?? Self.noFile,
            "sslcert": files[.certificate] ?? Self.noFile, "sslkey": files[.key] ?? Self.noFile,
            "sslcrl": Self.noFile, "sslcrldir": "", "sslpassword": "",
            "gssencmode": "disable", "requirepeer": "", "options": sessionOptions, "client_encoding": "UTF8",
            "application_name": applicationName, "fallback_application_name": "",
            "target_session_attrs": "any", "connect_timeout": "0",
            // The loss of an idle connection is noticed after 25 seconds.
            "keepalives": "1", "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
            "tcp_user_timeout": "25000",
        ]
    }

    /// The server’s settings as libpq’s option `options`: “Spaces within this string are considered to separate
    /// command-line arguments, unless escaped with a backslash”.
    private var sessionOptions: String {
        session.sorted { $0.key < $1.key }
            .map { name, value in
                let escaped = value.replacing(scalars: ["\\": "\\\\", " ": "\\ "])
                return "-c \(name)=\(escaped)"
            }
            .joined(separator: " ")
    }

    /// An empty path would mean the file in the home folder; a file that does not exist is ignored.
    private static let noFile = "/nonexistent/findmybike"

    /// Passes on every option that libpq knows.
    private static func eachOption(_ body: (PQconninfoOption) -> Void) throws {
        guard let options = PQconninfoParse("", nil) else { throw PostgreSQLError.unavailable("out of memory") }
        defer { PQconninfoFree(options) }
        var option = options
        while option.pointee.keyword != nil {
            body(option.pointee)
            option += 1
        }
    }

    /// Refuses a file with passwords that cannot be read, or that others can read: libpq only warns, on the standard
    /// error, if it ignores the file.
    private func checkPasswordFile() throws {
        guard let path = files[.passwords] else { return }
        var status = Glibc.stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw PostgreSQLError.unavailable("passfile \(path): \(String(cString: strerror(errno)))", .passwordFile)
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0 else {
            throw PostgreSQLError.unavailable("others may read passfile \(path): run chmod 600 \(path)", .passwordFile)
        }
    }

    /// “Single quotes and backslashes within the value must be escaped with a backslash”.
    private static func escaped(_ value: String) -> String {
        value.replacing(scalars: ["'": "\\'", "\\": "\\\\"])
    }
}
