import FoundationEssentials
public import NIOSSL
public import RegistryAPI
import Synchronization

/// A certificate chain and its private key from PEM files, as last read.
///
/// A certificate and a key that do not match, for example because only one file has been replaced so far, are not
/// used; the previous pair stays in use.
public final class TLSFiles: Sendable {
    private struct State {
        var context: NIOSSLContext
        /// When the certificate becomes valid, in seconds since the Unix epoch, like the other times here.
        var begins: Int64
        /// When the certificate expires.
        var expires: Int64
        /// When the first of the authorities' certificates in the chain expires; nil if there are none.
        var chainExpires: Int64?
        var contents: Contents
    }

    /// The contents of the files, to notice a change.
    private struct Contents: Equatable {
        let certificate: Data
        let key: Data
    }

    private let certificatePath: String
    private let keyPath: String
    private let state: Mutex<State>

    /// - Parameters:
    ///   - certificate: the path of the chain, the server's own certificate first.
    ///   - key: the path of the private key, without a password.
    public init(certificate: String, key: String) throws(TLSFileError) {
        certificatePath = certificate
        keyPath = key
        let contents = try Self.read(certificate, key)
        state = Mutex(try Self.checkedState(contents, certificate, key))
    }

    /// The TLS context for new connections; open connections keep theirs.
    public var context: NIOSSLContext { state.withLock { $0.context } }

    /// The expiry of the certificate, in seconds since the Unix epoch.
    var expires: Int64 { state.withLock { $0.expires } }

    /// How many seconds before its end a certificate should have been replaced: programs that renew one do it a month
    /// before.
    private static let notice: Int64 = 14 * 86_400

    /// The problem with the certificate's period of validity, present or approaching, and the remedy; nil if there is
    /// none.
    public func warning(at time: Timestamp) -> String? {
        let (begins, expires, chainExpires) = state.withLock { ($0.begins, $0.expires, $0.chainExpires) }
        let now = time.milliseconds / 1000
        if now >= expires {
            return "the certificate in \(certificatePath) expired on \(Self.day(expires)), and nobody can connect over "
                + "TLS: \(Self.remedy)"
        }
        if now < begins {
            return
                "the certificate in \(certificatePath) is not valid before \(Self.day(begins)): check this machine’s "
                + "clock, or \(Self.remedy)"
        }
        if expires - now <= Self.notice {
            return "the certificate in \(certificatePath) expires on \(Self.day(expires)): \(Self.remedy)"
        }
        guard let chainExpires, chainExpires - now <= Self.notice else { return nil }
        let verb = now >= chainExpires ? "expired" : "expires"
        return "an authority’s certificate in \(certificatePath) \(verb) on "
            + "\(Self.day(chainExpires)), and then some programs no longer trust the chain: \(Self.remedy)"
    }

    private static let remedy =
        "renew it and replace the files, which the registry reads again; credentials of systemd need a restart"

    /// The day, as in `2026-11-26`.
    private static func day(_ seconds: Int64) -> String {
        String("\(Timestamp(milliseconds: 0).advanced(by: .seconds(seconds)))".prefix(10))
    }

    /// Reads the files again; returns true if a different pair is used from now on.
    func reload() throws(TLSFileError) -> Bool {
        let contents = try Self.read(certificatePath, keyPath)
        guard state.withLock({ $0.contents != contents }) else { return false }
        let new = try Self.checkedState(contents, certificatePath, keyPath)
        state.withLock { $0 = new }
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

    /// The state for the contents of the files.
    ///
    /// - Throws: an error if they are no certificates or no key, or do not belong together.
    private static func checkedState(
        _ contents: Contents, _ certificatePath: String, _ keyPath: String
    ) throws(TLSFileError) -> State {
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
        return State(
            context: context, begins: Int64(leaf.notValidBefore), expires: Int64(leaf.notValidAfter),
            chainExpires: chain.dropFirst().map { Int64($0.notValidAfter) }.min(), contents: contents
        )
    }
}

/// The reason why a certificate and its key cannot be used.
public struct TLSFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
