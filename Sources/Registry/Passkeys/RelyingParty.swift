import Crypto
import FoundationEssentials
import Syntax

/// The registry as browsers and authenticators know it: the site for which passkeys are made (Web Authentication,
/// section 4, “Relying Party”).
public struct RelyingParty: Hashable, Sendable {
    /// The origin of the pages, such as `https://registry.example`.
    public let origin: String
    /// The host of the origin, for which passkeys are made. A passkey of one host does not work at another.
    public let id: String

    /// The relying party at a URL; nil unless browsers allow passkeys there: `https` and the name of a host, or
    /// `localhost`.
    public init?(publicURL: String) {
        guard let url = URLComponents(string: publicURL), url.user == nil, url.password == nil,
            let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), Self.isName(host)
        else { return nil }
        let isLocal = host == "localhost" || host.ends(with: ".localhost")
        guard scheme == "https" || (scheme == "http" && isLocal) else { return nil }
        id = host
        // An origin names a port only if it is not the scheme's usual one.
        let usualPort = scheme == "https" ? 443 : 80
        if let port = url.port, port != usualPort {
            origin = "\(scheme)://\(host):\(port)"
        } else {
            origin = "\(scheme)://\(host)"
        }
    }

    /// The hash that authenticators sign.
    var idHash: [UInt8] { Array(SHA256.hash(data: Array(id.utf8))) }

    /// Whether it is a host's name, and not an address.
    private static func isName(_ host: String) -> Bool {
        let labels = host.split(at: ".", omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0.isNameCharacter }
        }
        // The last part of an IPv4 address is a number, and that of a name never is.
        guard areLabels, host.utf8.count <= 253, let last = labels.last else { return false }
        return !last.utf8.allSatisfy { $0.isDigit }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isNameCharacter: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || self == UInt8(ascii: "-")
    }
}
