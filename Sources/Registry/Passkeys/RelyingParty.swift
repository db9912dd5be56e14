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
        let isUsualPort = url.port == nil || url.port == (scheme == "https" ? 443 : 80)
        id = host
        origin = "\(scheme)://\(host)" + (isUsualPort ? "" : ":\(url.port ?? 0)")
    }

    /// The hash that authenticators sign.
    var idHash: [UInt8] { Array(SHA256.hash(data: Array(id.utf8))) }

    /// Whether it is a host's name, and not an address.
    private static func isName(_ host: String) -> Bool {
        let labels = host.split(at: ".", omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0.isNameCharacter }
        }
        return areLabels && host.utf8.count <= 253 && !(labels.last?.utf8.allSatisfy { $0.isDigit } ?? true)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isNameCharacter: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || self == UInt8(ascii: "-")
    }
}
