import CCurl
import OperatingSystem

/// Sends messages to a mail server, one at a time, and keeps the connection open between them.
///
/// TLS is always required and verified: before that, neither the password nor the message is sent.
public actor MailConnection {
    /// The maximum size in bytes of a body from the server, which sends none in reply to a message.
    private static let replyLimit = 64 << 10

    private let executor = QueueExecutor(label: "MailConnection")
    private let server: MailServer
    private let handle: EasyHandle

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Throws: ``HTTPError`` if libcurl cannot create a handle, that is, if memory is exhausted.
    public init(_ server: MailServer) throws(HTTPError) {
        self.server = server
        handle = try EasyHandle()
    }

    /// Sends one message; libcurl does the dot-stuffing. A rejection or a broken connection is an outcome, not an error.
    ///
    /// - Parameters:
    ///   - sender: the address to which failures are reported.
    ///   - message: the header and body with CR LF line endings.
    /// - Throws: `CancellationError` only.
    public func send(_ message: [UInt8], from sender: String, to recipient: String) async throws -> MailOutcome {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            let transfer = Transfer(limit: Self.replyLimit, addresses: .any, cancellation: cancellation)
            transfer.upload = message[...]
            let code = handle.deliver(transfer, through: server, from: sender, to: recipient)
            if cancellation.isSet { throw CancellationError() }
            return MailOutcome(
                reply: transfer.mailRejection?.reply ?? 0, enhanced: transfer.mailRejection?.enhanced,
                code: code.rawValue
            )
        } onCancel: {
            cancellation.set()
        }
    }
}

/// A mail server and its credentials.
public struct MailServer: Sendable {
    /// `smtp://host:port`, which must offer STARTTLS, or `smtps://host:port`.
    public var url: String
    /// The name and the password for SMTP AUTH; nil for a server that accepts mail without them.
    public var user: String?
    public var password: String?
    /// A PEM file with certificates to trust instead of the system's.
    public var certificateAuthorityFile: String?
    /// The maximum time to resolve the name, connect and complete the TLS handshake.
    public var connectTimeout = Duration.seconds(10)
    /// The maximum time for one message, including the connection.
    public var timeout = Duration.seconds(30)

    public init(url: String, user: String? = nil, password: String? = nil, certificateAuthorityFile: String? = nil) {
        self.url = url
        self.user = user
        self.password = password
        self.certificateAuthorityFile = certificateAuthorityFile
    }
}

/// Whether a server accepted a message, and why not (RFC 5321, section 4.2).
public struct MailOutcome: Hashable, Sendable {
    /// The reply code, 400…599; 0 if the server rejected nothing.
    public let reply: Int
    /// The enhanced status code, such as 5.1.1 (RFC 3463); nil if the reply has none.
    public let enhanced: String?
    /// libcurl's code (libcurl-errors(3)); 0 if the message was accepted.
    public let code: UInt32

    /// Whether the server accepted the message for delivery.
    public var isTaken: Bool { code == 0 }
}

extension EasyHandle {
    /// Delivers the transfer's ``Transfer/upload``, and blocks until it has ended.
    fileprivate func deliver(
        _ transfer: Transfer, through server: MailServer, from sender: String, to recipient: String
    ) -> CURLcode {
        let recipients = StringList(["<\(recipient)>"])
        reset(transfer, keeping: recipients)
        set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        set(CURLOPT_URL, server.url)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_USE_SSL, findmybike_use_ssl_all)
        if let user = server.user { set(CURLOPT_USERNAME, user) }
        if let password = server.password { set(CURLOPT_PASSWORD, password) }
        set(CURLOPT_MAIL_FROM, "<\(sender)>")
        set(CURLOPT_MAIL_RCPT, pointer: recipients.start)
        set(CURLOPT_UPLOAD, 1)
        findmybike_setopt_data(handle, CURLOPT_READFUNCTION, sendBody)
        set(CURLOPT_READDATA, pointer: UnsafeRawPointer(Unmanaged.passUnretained(transfer).toOpaque()))
        setSafety(authority: server.certificateAuthorityFile, server.connectTimeout, server.timeout)
        return performPrepared()
    }
}
