import Evidence
import RegistryAPI
import RegistryRules

/// The proof in an offer that its sender holds the key that it names.
///
/// Without it, somebody with a leaked code could join with their own address and the key of another registry, which is
/// public, and the operators' comparison of fingerprints would succeed. The signed text names everything in the offer,
/// so that a proof fits no other offer.
struct PartnerProof {
    /// The digest of the invitation's code.
    let code: SecretDigest
    /// The address to which a request is sent. So nobody who got a request can pass it on to another registry.
    let receiver: String
    /// The digest of the token in the request, if the offer is the answer to one; nil if it is the request. So an
    /// answer cannot be used again.
    var answering: SecretDigest?

    /// The first line of the signed text.
    private static let title = "findmybike partner offer 1"
    /// The most bytes of a signed text that is verified: each of its two addresses has at most 256 characters.
    private static let longest = 4096

    /// A registry's offer with its proof.
    ///
    /// - Parameter shown: the code, for a request.
    func offer(
        from url: String, token: AccessToken, showing shown: OneTimeCode? = nil, by keyring: Keyring
    ) throws -> PartnerOffer {
        let key = keyring.current
        var offer = PartnerOffer(
            code: shown?.text, url: url, token: token.text, publicKey: key.publicKey, proof: "")
        offer.proof = Hexadecimal.text(try keyring.sign(text(of: offer, key: key.fingerprint)))
        return offer
    }

    /// Whether the key has signed the offer.
    func isProved(_ offer: PartnerOffer, by key: PublicKey) -> Bool {
        let text = text(of: offer, key: "\(key.fingerprint)")
        guard text.count <= Self.longest, let signature = Hexadecimal.bytes(offer.proof) else { return false }
        return key.isSignature(signature, of: text)
    }

    /// The text that is signed. The sender's address comes last: it is the only part of an offer that could contain a
    /// line feed.
    private func text(of offer: PartnerOffer, key: String) -> [UInt8] {
        let purpose = answering.map { "answer \(Hexadecimal.text($0.bytes))" } ?? "join \(receiver)"
        let token = SecretDigest(of: offer.token)
        let lines = [
            Self.title, purpose, "code \(Hexadecimal.text(code.bytes))", "token \(Hexadecimal.text(token.bytes))",
            "key \(key)", "url \(offer.url)",
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }
}
