import OperatingSystem

/// The limits and checks for every request of a connection.
public struct HTTPConfiguration: Sendable {
    /// The maximum time to resolve the name, connect and complete the TLS handshake.
    public var connectTimeout: Duration
    /// The maximum time of a whole exchange.
    public var timeout: Duration
    /// The maximum size of a body in bytes, after decompression; beyond it, the transfer is aborted.
    public var responseLimit: Int
    /// The addresses that may be connected to.
    public var addresses: AddressPolicy
    /// The value of the header field `User-Agent`.
    public var userAgent: String
    /// A PEM file with certificates to trust instead of the system's, for a registry with a private authority.
    public var certificateAuthorityFile: String?
    /// A Unix socket to connect to, regardless of the URL's host.
    public var unixSocket: String?
    /// Whether a request waits for a stream of an HTTP/2 connection that is being established; for one server and many
    /// requests. An ``HTTPConnection``, which sends one request at a time, uses HTTP/2 only with it.
    public var waitsForStreams: Bool

    public init(
        connectTimeout: Duration = .seconds(10),
        timeout: Duration = .seconds(30),
        responseLimit: Int = 4 << 20,
        addresses: AddressPolicy = .any,
        userAgent: String = "FindMyBike/1",
        certificateAuthorityFile: String? = nil,
        unixSocket: String? = nil,
        waitsForStreams: Bool = false
    ) {
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.responseLimit = responseLimit
        self.addresses = addresses
        self.userAgent = userAgent
        self.certificateAuthorityFile = certificateAuthorityFile
        self.unixSocket = unixSocket
        self.waitsForStreams = waitsForStreams
    }
}

/// The addresses to which a connection may be made. The check uses the address of the actual connection, after name
/// resolution, so that no name can lead to the internal network.
public enum AddressPolicy: Hashable, Sendable {
    case any
    /// Only public addresses, for untrusted URLs.
    case publicOnly
    /// Only addresses that are not public, for secrets without encryption.
    case privateOnly

    /// - Parameter address: the peer's; nil if it is not an Internet address, which only ``any`` allows.
    func allows(_ address: NetworkAddress?) -> Bool {
        switch self {
        case .any: true
        case .publicOnly: address?.isPublic == true
        case .privateOnly: address?.isPublic == false
        }
    }
}
