import Evidence
import Logging
package import RegistryAPI
package import RegistryRules
import RegistrySQL
import Syntax

// Partnerships.
extension RegistryOperations {
    /// Invites another registry.
    ///
    /// - Throws: `signingKeyMissing`, `linksUnavailable`, `partnersFull`.
    package func invitePartner(
        _ draft: PartnerInvitationDraft, by principal: Principal
    ) async throws -> PartnerInvitation {
        let (publicURL, _) = try ownTerms()
        var entropy = entropy
        let code = OneTimeCode(using: &entropy)
        let invitation = newPartner(draft.name, code: code.digest, by: principal)
        try await store.addPartnerInvitation(invitation)
        return PartnerInvitation(
            id: invitation.id, url: publicURL, code: code.text, expires: invitation.expires)
    }

    /// Ends a partner's token, and makes a code by which the partner gets a new one.
    ///
    /// - Throws: `signingKeyMissing`, `linksUnavailable`, `notFound`.
    package func renewPartner(_ id: PartnerID, by principal: Principal) async throws -> PartnerInvitation {
        let (publicURL, _) = try ownTerms()
        var entropy = entropy
        let code = OneTimeCode(using: &entropy)
        let now = clock.now
        let renewal = PartnerRenewal(
            partner: id, code: code.digest, created: now, expires: now.advanced(by: OneTimeCode.lifetime), by: principal
        )
        try await store.askPartnerToRenew(renewal)
        logger.notice("partner asked to renew", metadata: ["partner": "\(id)"])
        return PartnerInvitation(id: id, url: publicURL, code: code.text, expires: renewal.expires)
    }

    /// Accepts another registry's invitation.
    ///
    /// - Throws: `signingKeyMissing`, `linksUnavailable`, `partnerUnreachable`, `partnersFull`, `invalidFields`.
    package func acceptPartner(_ acceptance: PartnerAcceptance, by principal: Principal) async throws -> Partner {
        let (publicURL, keyring) = try ownTerms()
        guard let partners else { throw DomainError.signingKeyMissing }
        let url = try partnerURL(acceptance.url, beside: publicURL)
        try await store.requirePartnerRoom(for: url, at: clock.now)
        var entropy = entropy
        let token = AccessToken(for: .partner, using: &entropy)
        let code = OneTimeCode(typed: acceptance.code)
        var proof = PartnerProof(code: code.digest, receiver: url)
        let offer = try proof.offer(from: publicURL, token: token, showing: code, by: keyring)
        let answer: PartnerOffer
        do {
            answer = try await partners.network.accept(offer, at: url)
        } catch {
            throw DomainError.partnerUnreachable("\(error)")
        }
        let key = try key(of: answer.publicKey)
        proof.answering = token.digest
        guard proof.isProved(answer, by: key) else {
            throw DomainError.invalidField(
                "/url", "its response is not signed with the key that it names: ask its operator for the address")
        }
        let invitation = newPartner(acceptance.name, code: code.digest, by: principal)
        // The registry calls the address that the operator typed.
        let id = try await store.addPartner(
            invitation,
            PartnerTerms(
                url: url, token: token.digest, secret: try Self.secret(answer).text, publicKeys: [key.pem]))
        await partners.refresh()
        logger.notice("partner added", metadata: ["partner": "\(id)", "url": "\(url)"])
        return try await store.partner(id, at: clock.now)
    }

    /// Makes an invitation a partnership, or renews one, for the registry that uses the code.
    ///
    /// - Throws: `codeUnusable`, `signingKeyMissing`, `linksUnavailable`, `invalidFields`.
    package func joinPartner(_ offer: PartnerOffer) async throws -> PartnerOffer {
        let (publicURL, keyring) = try ownTerms()
        guard let code = offer.code.map(OneTimeCode.init(typed:)) else { throw DomainError.codeUnusable }
        let url = try partnerURL(offer.url, beside: publicURL)
        let key = try key(of: offer.publicKey)
        let own = try oneForm(of: publicURL)
        guard url != own else {
            throw DomainError.invalidField("/url", "must not be the address of this registry")
        }
        // Somebody who passes on an offer that was sent to them would get both tokens.
        var proof = PartnerProof(code: code.digest, receiver: own)
        guard proof.isProved(offer, by: key) else {
            throw DomainError.invalidField(
                "/proof",
                "must be a signature over this offer by its publicKey, for this registry: accept the code again, at "
                    + "the registry that holds this key, and with the address \(own)")
        }
        let secret = try Self.secret(offer)
        var entropy = entropy
        let token = AccessToken(for: .partner, using: &entropy)
        try await store.joinPartner(
            code: code.digest,
            PartnerTerms(url: url, token: token.digest, secret: secret.text, publicKeys: [key.pem]), at: clock.now)
        await partners?.refresh()
        logger.notice("partner joined", metadata: ["url": "\(url)"])
        proof.answering = secret.digest
        return try proof.offer(from: publicURL, token: token, by: keyring)
    }

    /// The partner that makes a call. Its code can then no longer be used: it has its token.
    ///
    /// - Throws: `notFound` if it was suspended meanwhile.
    package func callingPartner(_ id: PartnerID) async throws -> ActivePartner {
        let partner = try await store.activePartner(id)
        if !partner.isUsed { try await store.noteUse(ofPartner: partner.key, at: clock.now) }
        return partner
    }

    /// Changes, suspends or resumes a partnership.
    ///
    /// - Parameter quarantineSince: from when on the visits of a suspended partner are not trusted; nil if all are.
    /// - Throws: `notFound`, `invalidFields`.
    package func changePartner(
        _ id: PartnerID, _ patch: PartnerPatch, quarantineSince: Timestamp?, by principal: Principal
    ) async throws -> Partner {
        if let pem = patch.publicKey { _ = try key(of: pem) }
        let changed = try await store.changePartner(
            id, patch, quarantineSince: quarantineSince, by: principal, at: clock.now)
        await partners?.refresh()
        return changed
    }

    /// Ends a partnership.
    ///
    /// - Parameter quarantineSince: from when on the partner's visits are not trusted; nil if all are.
    package func removePartner(_ id: PartnerID, quarantineSince: Timestamp?, by principal: Principal) async throws {
        try await store.removePartner(id, quarantineSince: quarantineSince, by: principal, at: clock.now)
        await partners?.refresh()
        logger.notice("partner removed", metadata: ["partner": "\(id)"])
    }

    /// An invitation to store, with a new key of pseudonyms.
    private func newPartner(_ name: String, code: SecretDigest, by principal: Principal) -> NewPartnerInvitation {
        var entropy = entropy
        let now = clock.now
        return NewPartnerInvitation(
            id: PartnerID(at: now, using: &entropy), name: name, code: code, created: now,
            expires: now.advanced(by: OneTimeCode.lifetime), pseudonyms: entropy.bytes(32), by: principal)
    }

    /// This registry's address, and the keys that it signs with.
    private func ownTerms() throws -> (url: String, keyring: Keyring) {
        guard let publicURL else { throw DomainError.linksUnavailable }
        return (publicURL, try requiredKeyring())
    }

    /// The address of a partner in its one form.
    ///
    /// Only a registry without TLS itself, which is one on this machine, may have a partner without TLS.
    ///
    /// - Throws: `invalidFields` if it cannot be the address of a registry.
    private func partnerURL(_ text: String, beside publicURL: String) throws -> String {
        let areBothPlain = text.begins(with: "http://") && publicURL.begins(with: "http://")
        guard text.begins(with: "https://") || areBothPlain else {
            throw DomainError.invalidField(
                "/url", "must begin with https://: http:// is only for registries whose publicURL begins with it")
        }
        let url = try oneForm(of: text)
        do {
            _ = try partners?.network.connect(to: url, token: "", mostListed: 0)
        } catch {
            throw DomainError.invalidField("/url", "must be the address of a registry, such as https://host")
        }
        return url
    }

    /// An address in its one form (``PartnerAddress``).
    ///
    /// - Throws: `invalidFields` if it has none.
    private func oneForm(of text: String) throws -> String {
        guard let address = PartnerAddress(text) else {
            throw DomainError.invalidField(
                "/url", "must be the address of a registry, such as https://host, in ASCII and without ‘%’")
        }
        return address.url
    }

    /// The signing key of a partner. With a key of this registry as its own, somebody could send back what this registry
    /// has signed for them.
    private func key(of pem: String) throws -> PublicKey {
        guard let key = PublicKey(pem: pem) else {
            throw DomainError.invalidField("/publicKey", "must be an Ed25519 key in PEM")
        }
        let own = (keyring?.keys ?? []).map(\.fingerprint)
        guard !own.contains("\(key.fingerprint)") else {
            throw DomainError.invalidField("/publicKey", "must not be a key of this registry")
        }
        return key
    }

    /// The token in an offer. This registry will use it for its calls to the partner.
    private static func secret(_ offer: PartnerOffer) throws -> AccessToken {
        guard let token = AccessToken(offer.token) else {
            throw DomainError.invalidField("/token", "must be the token of a partner")
        }
        return token
    }
}
