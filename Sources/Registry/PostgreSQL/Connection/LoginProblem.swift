import CPostgreSQL
import Syntax

/// Why a server refuses the login, or libpq does not attempt it. A person has to fix it.
package enum LoginProblem: Sendable, Hashable {
    /// The file with the passwords cannot be read, or others can read it.
    case passwordFile
    /// The server asks for a password, and the file has none for it, or there is no file.
    case passwordMissing
    /// 28P01: the password is wrong, or the user does not exist.
    case password
    /// 28000: the server’s rules (`pg_hba.conf`) do not admit the user, or the user does not exist.
    case user
    /// 3D000: there is no such database.
    case database
    /// 42501: the user may not connect to the database.
    case rights

    /// - Parameter state: an SQLSTATE. Nil for temporary problems, such as a server that is just starting.
    init?(state: String?) {
        switch state {
        case "28P01": self = .password
        case "28000": self = .user
        case "3D000": self = .database
        case "42501": self = .rights
        default: return nil
        }
    }
}

/// Why libpq could not connect to a host.
struct ConnectionFailure {
    let problem: LoginProblem?
    /// libpq’s message in one line.
    let message: String

    /// - Parameter pointer: a connection that failed, for which ``PQERRORS_VERBOSE`` was set. Only then does libpq
    ///   report the SQLSTATE of a failed connection: as in “FATAL:  28P01: password authentication failed”.
    init(_ pointer: OpaquePointer) {
        let lines = Link.lines(pointer).filter { !$0.begins(with: "LOCATION:") }.map(Self.split)
        message = lines.isEmpty ? "the connection was lost" : lines.map(\.text).joined(separator: " ")
        let isPasswordMissing = PQconnectionNeedsPassword(pointer) == 1
        problem =
            isPasswordMissing ? .passwordMissing : lines.lazy.compactMap { LoginProblem(state: $0.state) }.first
    }

    /// Takes the SQLSTATE out of a line.
    static func split(_ line: some StringProtocol) -> (text: String, state: String?) {
        let line = String(line)
        guard let found = line.firstMatch(of: #/:[ ]{2}([0-9A-Z]{5}): /#) else { return (line, nil) }
        return (line[..<found.range.lowerBound] + ": " + line[found.range.upperBound...], String(found.output.1))
    }
}
