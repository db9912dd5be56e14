import CPostgreSQL

/// Collects the SQLSTATEs of the server's warnings: a commit with a warning may not be durable. Without a receiver libpq
/// would print the notices.
final class Notices {
    /// The SQLSTATEs since ``clear()``, the first ones if there are too many.
    private(set) var warnings: [String] = []
    /// For memory: a statement may raise any number of warnings.
    private static let maximumWarnings = 16

    /// Forgets the warnings of earlier statements.
    func clear() { warnings = [] }

    /// Becomes the connection's receiver of notices (PQsetNoticeReceiver).
    ///
    /// - Important: this object must outlive the connection.
    func listen(to connection: OpaquePointer) {
        PQsetNoticeReceiver(connection, receive, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Keeps the SQLSTATE of a warning.
    fileprivate func add(_ result: OpaquePointer?) {
        let severity = PostgreSQLError.field(result, findmybike_diag_severity)
        // libpq's own notices have neither field.
        guard let severity, !["NOTICE", "INFO", "LOG", "DEBUG"].contains(severity),
            warnings.count < Self.maximumWarnings
        else { return }
        warnings.append(PostgreSQLError.field(result, findmybike_diag_state) ?? SQLState.warning)
    }
}

/// libpq calls this inside the functions that read, on the thread that called them.
private func receive(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
    guard let context else { return }
    Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().add(result)
}
