import CCurl
import Concurrency

/// A mail server and the credentials for it.
public struct MailServer: Sendable {
    /// `smtp://host:port`, which must offer STARTTLS, or `smtps://host:port`.
    public var url: String
    public var user: String?
    public var password: String?
    /// A PEM file with certificates to trust instead of the system's.
    public var certificateAuthorityFile: String?
    public var connectTimeout = Duration.seconds(10)
    /// Time for one message.
    public var timeout = Duration.seconds(30)

    public init(url: String, user: String? = nil, password: String? = nil, certificateAuthorityFile: String? = nil) {
        self.url = url
        self.user = user
        self.password = password
        self.certificateAuthorityFile = certificateAuthorityFile
    }
}

/// What a server said against a message (RFC 5321, section 4.2), and what libcurl says to it.
public struct MailOutcome: Hashable, Sendable {
    /// 400…599; 0 where the server refused nothing.
    public let reply: Int
    /// As in 5.1.1 (RFC 3463); nil where the reply has none.
    public let enhanced: String?
    /// libcurl-errors(3); 0 where the message was taken.
    public let code: UInt32

    public var isTaken: Bool { code == 0 }
}

/// Hands messages to a mail server, one at a time, and keeps the connection open between them.
///
/// TLS is always demanded and verified: before that neither the password nor the message is sent.
public actor MailConnection {
    private let executor = QueueExecutor(label: "MailConnection")
    private let server: MailServer
    private let handle: EasyHandle

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Throws where libcurl cannot give a handle, that is, without memory.
    public init(_ server: MailServer) throws(HTTPError) {
        self.server = server
        handle = try EasyHandle()
    }

    /// Sends one message; libcurl doubles the dots at the beginning of lines.
    ///
    /// - Parameters:
    ///   - sender: the address that failures are reported to.
    ///   - message: header and body with line ends of CR LF.
    /// - Throws: `CancellationError`.
    public func send(_ message: [UInt8], from sender: String, to recipient: String) async throws -> MailOutcome {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            let transfer = Transfer(limit: 64 << 10, addresses: .any, cancellation: cancellation)
            transfer.upload = message[...]
            let code = handle.deliver(transfer, through: server, from: sender, to: recipient)
            if cancellation.isSet { throw CancellationError() }
            return MailOutcome(
                reply: transfer.refusal?.reply ?? 0, enhanced: transfer.refusal?.enhanced, code: code.rawValue
            )
        } onCancel: {
            cancellation.set()
        }
    }
}

extension EasyHandle {
    fileprivate func deliver(
        _ transfer: Transfer, through server: MailServer, from sender: String, to recipient: String
    ) -> CURLcode {
        let recipients = StringList(["<\(recipient)>"])
        reset(transfer, keeping: recipients)
        set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        set(CURLOPT_URL, server.url)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))
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
