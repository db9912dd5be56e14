import CPostgreSQL

/// Collects the SQLSTATEs of the server's warnings. Without a receiver libpq would print them.
final class Notices {
    private(set) var warnings: [String] = []
    private static let limit = 16

    func clear() { warnings = [] }

    /// - Important: this object must outlive the connection.
    func listen(to connection: OpaquePointer) {
        PQsetNoticeReceiver(connection, receive, Unmanaged.passUnretained(self).toOpaque())
    }

    fileprivate func add(_ result: OpaquePointer?) {
        let severity = PostgreSQLError.field(result, findmybike_diag_severity)
        // libpq's own notices have neither field.
        guard let severity, !["NOTICE", "INFO", "LOG", "DEBUG"].contains(severity), warnings.count < Self.limit else {
            return
        }
        warnings.append(PostgreSQLError.field(result, findmybike_diag_state) ?? "01000")
    }
}

/// libpq calls this inside the functions that read, on the thread that called them.
private func receive(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
    guard let context else { return }
    Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().add(result)
}
