package import PostgreSQL

/// The reason why the database cannot be opened. Each description says what to do.
package enum PostgreSQLOpenError: Error, Hashable, Sendable {
    /// The URL; the reason.
    case invalidURL(String)
    /// What the servers, or libpq, said.
    case unreachable(String)
    /// The server refuses the login, or libpq does not attempt it: the reason, and what the server or libpq said.
    case notAdmitted(LoginProblem, String)
    /// The user lacks rights in the database: which ones.
    case rights(String)
    /// The database has tables of another program: one of them.
    case foreign(table: String)
    /// The version of the server.
    case oldServer(version: Int64)
    /// The encoding of the database.
    case encoding(String)
    /// The value of `synchronous_commit`.
    case notDurable(synchronousCommit: String)
    /// The value of a setting without which a power loss damages the database.
    case unsafe(setting: String, value: String)
    /// `synchronous_standby_names` is empty.
    case noSynchronousStandby
    /// The server's clock minus this machine's.
    case clock(difference: Duration)
    /// The folder of the journals, and the system's message.
    case journal(folder: String, message: String)
    /// A newer version of the program has changed the tables: the steps that this one does not know.
    case newerSchema(String)
    /// A development version has made the tables, before the first release.
    case unreleasedSchema
    /// The database has the tables of an earlier version, or none, and the command must not change them.
    case olderSchema
    /// Another process has been changing the tables for too long.
    case migrating
    /// The server refused a statement.
    case refused(String)

    /// Translates an error that occurred while the database was opened.
    init(_ error: any Error) {
        switch error {
        case let error as PostgreSQLOpenError: self = error
        case let error as ConnectionSettings.Invalid: self = .invalidURL("\(error)")
        case let error as PostgreSQLError where error.isDenied: self = .rights(error.message)
        case let error as PostgreSQLError where error.kind == .refused: self = .refused("\(error)")
        case let error as PostgreSQLError:
            self = error.loginProblem.map { .notAdmitted($0, "\(error)") } ?? .unreachable("\(error)")
        default: self = .unreachable("\(error)")
        }
    }
}

extension PostgreSQLOpenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidURL(let reason):
            "the database’s URL is invalid: \(reason)"
        case .unreachable(let message):
            "the database cannot be reached (\(message)): \(Self.remedy(message))"
        case .notAdmitted(let problem, let message):
            "the database cannot be used (\(message)): \(problem.remedy)"
        case .rights(let missing):
            "the database’s user lacks rights (\(missing)): make it the owner of the database and of its tables, with "
                + "ALTER DATABASE … OWNER TO … and ALTER TABLE … OWNER TO …"
        case .foreign(let table):
            "the database belongs to another program: its schema public contains “\(table)”. Create an empty database for "
                + "the registry"
        case .oldServer(let version):
            "the database’s server has version \(version / 10_000): PostgreSQL 15 or newer is needed"
        case .encoding(let encoding):
            "the database has the encoding \(encoding): create it with ENCODING 'UTF8' TEMPLATE template0"
        case .notDurable(let value):
            "the server runs with synchronous_commit=\(value) and could lose confirmed writes: set it to on"
        case .unsafe(let setting, let value):
            "the server runs with \(setting)=\(value), so that a power loss could damage the database: set it to on"
        case .noSynchronousStandby:
            "the database has no synchronous standby (synchronous_standby_names is empty), so the loss of one machine "
                + "could lose confirmed writes: set one up, or set ‘durability: single’ if there is only one machine"
        case .clock(let difference):
            "the clock of the database’s server is \(Self.text(difference)) this machine’s: synchronise both with NTP"
        case .journal(let folder, let message):
            "the journals cannot be written to \(folder) (\(message)): create it for the registry’s user, or set ‘journal’"
        case .newerSchema(let steps):
            "the database was changed by a newer version of this program (\(steps)): run that version"
        case .unreleasedSchema:
            "the database was made by a development version before the first release, and this version cannot use it: "
                + "create an empty database, or run the version that made it"
        case .olderSchema:
            "the database’s tables are not those of this version, and this command does not change them: start a registry "
                + "of this version first, or run the command of the version that the registries have"
        case .migrating:
            "another process has been changing the database’s tables for a minute: try again when it has finished"
        case .refused(let message):
            "the database refused to be opened (\(message)): the server’s log says more"
        }
    }

    /// The remedy for a message from libpq or from ``Connection``.
    private static func remedy(_ message: String) -> String {
        if message.contains("certificate verify failed") {
            return "‘sslrootcert’ must name the certificate of the authority that signed the server’s certificate"
        }
        if message.contains("root certificate file") {
            return
                "‘sslrootcert’ must name a file that is there. Do not take libpq’s advice to verify no certificate: then "
                + "anyone could answer in place of the server"
        }
        if message.contains(": a standby") { return "the URL must name all database machines, also the primary" }
        return "check the URL, the servers and the network"
    }

    private static func text(_ difference: Duration) -> String {
        let length = difference < .zero ? .zero - difference : difference
        let tenths = length.components.seconds * 10 + length.components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) s \(difference < .zero ? "behind" : "ahead of")"
    }
}

extension LoginProblem {
    /// What to do about it.
    fileprivate var remedy: String {
        switch self {
        case .passwordFile:
            "‘passfile’ must name a file that belongs to the registry’s user, with mode 0600 and a line such as "
                + "*:*:*:findmybike:PASSWORD"
        case .passwordMissing:
            "the server asks for a password: write passfile=FILE into the URL. If it is there, the file has no line for "
                + "this host, database and user, such as *:*:*:findmybike:PASSWORD"
        case .password:
            "the password in ‘passfile’ is not the user’s, or the user does not exist: set it with ALTER ROLE … PASSWORD, "
                + "or make the user with CREATE USER"
        case .user:
            "allow the URL’s user and this machine’s address in pg_hba.conf, and reload the server; or make the user with "
                + "CREATE USER"
        case .database:
            "make it with CREATE DATABASE … OWNER … ENCODING 'UTF8' TEMPLATE template0, or correct its name in the URL"
        case .rights: "allow it with GRANT CONNECT ON DATABASE … TO …"
        }
    }
}
