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
    /// - Throws: `signingKeyMissing`, `linksUnavailable`, `overloaded` if there are too many partners.
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

    /// Accepts another registry's invitation.
    ///
    /// - Throws: `signingKeyMissing`, `linksUnavailable`, `partnerUnreachable`, `invalidFields`.
    package func acceptPartner(_ acceptance: PartnerAcceptance, by principal: Principal) async throws -> Partner {
        let (publicURL, keyring) = try ownTerms()
        guard let partners else { throw DomainError.signingKeyMissing }
        let url = acceptance.url.dropping(suffix: "/").map(String.init) ?? acceptance.url
        try check(url, beside: publicURL)
        var entropy = entropy
        let token = AccessToken(for: .partner, using: &entropy)
        let code = OneTimeCode(typed: acceptance.code)
        var proof = PartnerProof(code: code.digest)
        let offer = try proof.offer(from: publicURL, token: token, showing: code, by: keyring)
        let answer: PartnerOffer
        do {
            answer = try await partners.network.accept(offer, at: url)
        } catch {
            throw DomainError.partnerUnreachable("\(error)")
        }
        let key = try key(of: answer)
        proof.answering = token.digest
        guard proof.isProved(answer, by: key) else {
            throw DomainError.invalidFields([
                FieldError(
                    pointer: "/url",
                    detail: "its response is not signed with the key that it names: ask its operator for the address")
            ])
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

    /// Makes an invitation a partnership, for the registry that accepts it.
    ///
    /// - Throws: `codeUnusable`, `signingKeyMissing`, `linksUnavailable`, `invalidFields`.
    package func joinPartner(_ offer: PartnerOffer) async throws -> PartnerOffer {
        let (publicURL, keyring) = try ownTerms()
        guard let code = offer.code.map(OneTimeCode.init(typed:)) else { throw DomainError.codeUnusable }
        let url = offer.url.dropping(suffix: "/").map(String.init) ?? offer.url
        try check(url, beside: publicURL)
        let key = try key(of: offer)
        var proof = PartnerProof(code: code.digest)
        guard proof.isProved(offer, by: key) else {
            throw DomainError.invalidFields([
                FieldError(
                    pointer: "/proof",
                    detail: "must be a signature over this offer by its publicKey: accept the invitation again, at the "
                        + "registry that holds this key")
            ])
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

    /// Changes, suspends or resumes a partnership.
    package func changePartner(
        _ id: PartnerID, _ patch: PartnerPatch, quarantineSince: Timestamp?, by principal: Principal
    ) async throws -> Partner {
        let changed = try await store.changePartner(
            id, patch, quarantineSince: quarantineSince, by: principal, at: clock.now)
        await partners?.refresh()
        return changed
    }

    package func removePartner(_ id: PartnerID, quarantineSince: Timestamp?, by principal: Principal) async throws {
        try await store.removePartner(id, quarantineSince: quarantineSince, by: principal, at: clock.now)
        await partners?.refresh()
        logger.notice("partner removed", metadata: ["partner": "\(id)"])
    }

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

    /// Only a registry on this machine may have a partner on this machine, without TLS.
    private func check(_ url: String, beside publicURL: String) throws {
        guard url.begins(with: "https://") || (url.begins(with: "http://") && publicURL.begins(with: "http://")) else {
            throw DomainError.invalidFields([
                FieldError(
                    pointer: "/url",
                    detail: "must begin with https://: http:// is only for registries whose publicURL begins with it")
            ])
        }
        do {
            _ = try partners?.network.connect(to: url, token: "", mostListed: 0)
        } catch {
            throw DomainError.invalidFields([
                FieldError(pointer: "/url", detail: "must be the address of a registry, such as https://host")
            ])
        }
    }

    /// The key of an offer. With a key of this registry as its own, somebody could send back what this registry has
    /// signed for them.
    private func key(of offer: PartnerOffer) throws -> PublicKey {
        guard let key = PublicKey(pem: offer.publicKey) else {
            throw DomainError.invalidFields([
                FieldError(pointer: "/publicKey", detail: "must be an Ed25519 key in PEM")
            ])
        }
        guard try !requiredKeyring().keys.contains(where: { $0.fingerprint == "\(key.fingerprint)" }) else {
            throw DomainError.invalidFields([
                FieldError(pointer: "/publicKey", detail: "must not be a key of this registry")
            ])
        }
        return key
    }

    private static func secret(_ offer: PartnerOffer) throws -> AccessToken {
        guard let token = AccessToken(offer.token) else {
            throw DomainError.invalidFields([FieldError(pointer: "/token", detail: "must be the token of a partner")])
        }
        return token
    }
}

// What a partner's stations heard.
extension RegistryOperations {
    /// Records the visits that a partner forwards, each separately.
    ///
    /// A signature of a key that is not pinned refuses the whole batch: its visits wait at the partner until an
    /// operator has pinned the key, or stopped the partner.
    ///
    /// - Throws: `tooManyPartnerVisits`, `invalidFields`; `notFound` if the partner was suspended meanwhile.
    package func receive(_ batch: ForwardedBatch, from id: PartnerID) async throws -> VisitBatchResult {
        let now = clock.now
        let partner = try await store.activePartner(id)
        if !partner.isUsed { try await store.noteUse(ofPartner: partner.key, at: now) }
        try await store.admit(batch.visits.count, ofPartner: partner.key, at: now)
        let own = Set(try requiredKeyring().keys.map(\.fingerprint))
        let pinned = partner.publicKeys.compactMap { PublicKey(pem: $0) }
        var results = batch.visits.map { _ in VisitResult(id: nil, result: .invalid) }
        var accepted: [(index: Int, forwarded: ForwardedVisit, signed: SignedReport)] = []
        for (index, signed) in batch.visits.enumerated() {
            let (forwarded, key) = try Self.read(signed, at: index, pinned: pinned, own: own)
            results[index] = VisitResult(id: forwarded.visit.id, result: .ignored)
            let report = SignedReport(signed, key: "\(key.fingerprint)", visit: forwarded.visit)
            accepted.append((index, forwarded, report))
        }
        let wanted = try await store.areWanted(accepted.map(\.forwarded.visit))
        accepted = zip(accepted, wanted).filter(\.1).map(\.0)
        guard !accepted.isEmpty else { return VisitBatchResult(results: results) }
        let stations = try await store.preparePartnerStations(
            accepted.map(\.forwarded.station), of: partner, at: now, using: entropy)
        var arrived: [(indices: [Int], batch: ArrivedBatch)] = []
        for (pseudonym, visits) in Dictionary(grouping: accepted, by: \.forwarded.station.id) {
            guard let station = stations[pseudonym] else { continue }
            let batch = try await arrival(
                of: VisitBatchReading(visits.map(\.forwarded.visit)), by: station, signed: visits.map(\.signed))
            arrived.append((visits.map(\.index), batch))
        }
        for start in stride(from: 0, to: arrived.count, by: PartnerRules.mostStationsTogether) {
            let part = arrived[start...].prefix(PartnerRules.mostStationsTogether)
            let recorded = try await store.record(part.map { $0.batch.request })
            for ((indices, batch), outcome) in zip(part, recorded) {
                let answers = try result(of: batch, try outcome.get()).results
                for (index, answer) in zip(indices, answers) { results[index] = answer }
            }
        }
        return VisitBatchResult(results: results)
    }

    private static func read(
        _ signed: SignedVisit, at index: Int, pinned: [PublicKey], own: Set<String>
    ) throws -> (ForwardedVisit, PublicKey) {
        func refusal(_ field: String, _ detail: String) -> DomainError {
            .invalidFields([FieldError(pointer: "/visits/\(index)/\(field)", detail: detail)])
        }
        guard signed.statement.utf8.count <= SignedVisit.longest else { throw refusal("statement", "is too long") }
        guard let signature = Hexadecimal.bytes(signed.signature),
            let key = pinned.first(where: { $0.isSignature(signature, of: Array(signed.statement.utf8)) })
        else { throw refusal("signature", "is not of a key that this registry has pinned for you") }
        guard let forwarded = try? ForwardedVisit(statement: signed.statement) else {
            throw refusal("statement", "cannot be read")
        }
        guard own.contains(forwarded.to) else { throw refusal("statement", "is for another registry") }
        return (forwarded, key)
    }
}
