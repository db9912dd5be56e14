import FoundationEssentials
public import NIOSSL
import Synchronization

/// The reason why a certificate and its key cannot be used.
public struct TLSFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

/// A certificate chain and its private key from PEM files, as last read.
///
/// A certificate and a key that do not match, for example because only one file has been replaced so far, are not
/// used; the previous pair stays in use.
public final class TLSFiles: Sendable {
    private struct State {
        var context: NIOSSLContext
        var expires: Int64
        var contents: Contents
    }

    private struct Contents: Equatable {
        let certificate: Data
        let key: Data
    }

    private let certificatePath: String
    private let keyPath: String
    private let state: Mutex<State>

    public init(certificate: String, key: String) throws(TLSFileError) {
        certificatePath = certificate
        keyPath = key
        let contents = try Self.read(certificate, key)
        let (context, expires) = try Self.context(contents, certificate, key)
        state = Mutex(State(context: context, expires: expires, contents: contents))
    }

    /// The TLS context for new connections; open connections keep theirs.
    public var context: NIOSSLContext { state.withLock { $0.context } }

    /// The expiry of the certificate, in seconds since the Unix epoch.
    var expires: Int64 { state.withLock { $0.expires } }

    /// Reads the files again; returns true if a different pair is used from now on.
    func reload() throws(TLSFileError) -> Bool {
        let contents = try Self.read(certificatePath, keyPath)
        guard state.withLock({ $0.contents != contents }) else { return false }
        let (context, expires) = try Self.context(contents, certificatePath, keyPath)
        state.withLock { $0 = State(context: context, expires: expires, contents: contents) }
        return true
    }

    private static func read(_ certificate: String, _ key: String) throws(TLSFileError) -> Contents {
        func data(_ path: String) throws(TLSFileError) -> Data {
            do {
                return try Data(contentsOf: URL(filePath: path))
            } catch {
                throw TLSFileError(description: "\(path) cannot be read: check the path and its permissions")
            }
        }
        return Contents(certificate: try data(certificate), key: try data(key))
    }

    private static func context(
        _ contents: Contents, _ certificatePath: String, _ keyPath: String
    ) throws(TLSFileError) -> (NIOSSLContext, expires: Int64) {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(Array(contents.certificate)), let leaf = chain.first
        else {
            throw TLSFileError(description: "\(certificatePath) contains no certificate: give the chain as PEM")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: Array(contents.key), format: .pem) else {
            throw TLSFileError(description: "\(keyPath) contains no private key: give it as PEM without a password")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = NegotiatedChannel.protocols
        guard let context = try? NIOSSLContext(configuration: configuration) else {
            let reason = "the key in \(keyPath) does not belong to the first certificate in \(certificatePath)"
            throw TLSFileError(description: reason)
        }
        return (context, Int64(leaf.notValidAfter))
    }
}
