/// Limits and checks that hold for every request of a connection.
public struct HTTPConfiguration: Sendable {
    /// Time to resolve the name, connect and agree on TLS.
    public var connectTimeout: Duration
    /// Time for a whole exchange.
    public var timeout: Duration
    /// Bytes of a body, after decompression, beyond which the transfer is broken off.
    public var responseLimit: Int
    /// Which addresses may be connected to.
    public var addresses: AddressPolicy
    public var userAgent: String
    /// A PEM file with certificates to trust instead of the system's; for a registry with a private authority.
    public var certificateAuthorityFile: String?
    /// A Unix socket to connect to, whatever the URL's host.
    public var unixSocket: String?
    /// Whether a request waits for a stream of an HTTP/2 connection that is being made; for one server and many requests.
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

/// Which addresses a connection may be made to. Checked on the address that is really connected, after the name was
/// resolved, so that no name can lead inside.
public enum AddressPolicy: Hashable, Sendable {
    case any
    /// For URLs from strangers.
    case publicOnly
}
