import OperatingSystem
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Whether a bike with a number, or with one that is easily misread as it, is missing here or at a partner, and its
    /// owner lets buyers check it.
    ///
    /// - Throws: `invalidFields` if the text cannot be a number.
    package func check(_ draft: NumberCheckDraft) async throws -> NumberCheck {
        do {
            let number = try BikeNumber(typed: draft.number)
            var check: NumberCheck
            switch try await store.check(number) {
            case .exact: return NumberCheck(missing: true)
            case .similar(let others): check = NumberCheck(missing: false, similar: others.map(number.similar))
            case .none: check = NumberCheck(missing: false)
            }
            let (found, unasked) = await partners?.check(number) ?? ([], [])
            check.elsewhere = found.isEmpty ? nil : found
            check.unasked = unasked.isEmpty ? nil : unasked
            return check
        } catch let flaw as BikeNumber.Flaw {
            throw DomainError.invalidField("/number", flaw.detail)
        }
    }

    /// Writes to the owners of the missing bikes with a number.
    ///
    /// - Parameters:
    ///   - secret: the secret of the form, from which those of the conversations are made.
    ///   - network: as in ``beginConversation(_:about:_:from:)``.
    /// - Returns: the secrets of the conversations; empty if no missing bike has the number.
    package func write(
        _ draft: MessageDraft, aboutNumber number: BikeNumber, _ secret: ConversationSecret,
        from network: ClientNetwork?
    ) async throws -> [ConversationSecret] {
        var entropy = entropy
        let now = clock.now
        // If a form is sent again with another text or number, it begins other conversations.
        let first = ConversationSecret(SecretDigest(of: "check \(number.text) \(secret.text) \(draft.text)"))
        let secrets = (0..<NumberCheckRules.mostBikes).map(first.further)
        let message = BuyerMessage(
            number: number,
            conversations: secrets.map { .init(id: ConversationID(at: now, using: &entropy), secret: $0.digest) },
            network: finderNetwork(network, at: now), text: draft.text, time: now)
        let begun = try await store.beginConversations(of: message)
        return secrets.filter { begun.contains($0.digest) }
    }
}

// For partners.
extension RegistryOperations {
    /// The numbers of missing bikes that buyers can check, hidden from a partner.
    ///
    /// - Throws: `notFound` if the partner was suspended meanwhile.
    package func sharedNumbers(for partner: PartnerID) async throws -> SharedNumbers {
        _ = try await callingPartner(partner)
        let shared = try await store.sharedNumbers(limit: PartnerRules.mostNumbers)
        let hiding = shared.key.hiding(from: partner)
        return try await longWork.run {
            let points = shared.numbers.compactMap(hiding.hide)
            return SharedNumbers(
                exact: points.map { NumberHiding.text($0.exact) }.sorted(),
                folded: Set(points.map { NumberHiding.text($0.folded) }).sorted())
        }
    }

    /// Hides a number that a partner has hidden already.
    ///
    /// - Throws: `invalidFields`; `notFound` if the partner was suspended meanwhile.
    package func hide(_ number: HiddenNumber, for partner: PartnerID) async throws -> HiddenNumber {
        _ = try await callingPartner(partner)
        guard let hidden = try await store.numberKey().hiding(from: partner).hide(number) else {
            throw DomainError.invalidField("", "is not a hidden number")
        }
        return hidden
    }
}

extension ConversationSecret {
    /// The secret of one of several conversations that one form begins.
    fileprivate func further(_ number: Int) -> ConversationSecret {
        number == 0 ? self : ConversationSecret(SecretDigest(of: "further \(number) \(text)"))
    }
}
