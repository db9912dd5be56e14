import Evidence
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// How the tokens and keys of a partner change.
    static let partnerRenewal = [
        StoreContract("partners and open invitations are limited, and the refusal says so") { store, stage in
            let partner = try await stage.partner()
            for number in 1..<PartnerRules.mostPartners { _ = try await stage.partnerInvitation(code: "\(number)") }
            await #expect(throws: DomainError.partnersFull) { _ = try await stage.partnerInvitation(code: "more") }
            await #expect(throws: DomainError.partnersFull) {
                try await store.requirePartnerRoom(for: "https://other.example.net", at: stage.now)
            }
            // One that is a partner already gets new tokens.
            try await store.requirePartnerRoom(for: "https://registry.example.net", at: stage.now)
            try await stage.remove(partner.id)
            _ = try await stage.partnerInvitation(code: "more")
        },
        StoreContract("a partner gets a new token by a code for it, which only the holder of its key can use") {
            store, stage in
            let partner = try await stage.partner()
            #expect(try await stage.list([Samples.identity(7)], of: partner))
            try await store.noteUse(ofPartner: partner.key, at: stage.now)
            func renewal() async throws -> Timestamp? { try await store.partner(partner.id, at: stage.now).renewal }
            #expect(try await renewal() == nil)
            try await stage.renew(partner.id, code: "renewal")
            #expect(try await renewal() == stage.now.advanced(by: .days(1)))
            #expect(try await store.credential(token: SecretDigest(of: "token")) == nil)
            // A request that began before is no use of the next token.
            try await store.noteUse(ofPartner: partner.key, at: stage.now)
            await #expect(throws: DomainError.codeUnusable) {
                try await stage.join("renewal", token: "thief", key: 9)
            }
            // Its address stays.
            await #expect(throws: DomainError.self) {
                try await stage.join("renewal", token: "moved", url: "https://elsewhere.example.net")
            }
            try await stage.join("renewal", token: "lost")
            #expect(try await renewal() == nil)
            await #expect(throws: DomainError.codeUnusable) { try await stage.join("renewal", token: "new") }
            try await stage.renew(partner.id, code: "next")
            #expect(try await store.credential(token: SecretDigest(of: "lost")) == nil)
            try await stage.join("next", token: "new")
            #expect(try await store.credential(token: SecretDigest(of: "new"))?.principal == .partner(partner.id))
            #expect(try await store.activePartners().map(\.id) == [partner.id])
            #expect(try await store.partnerList(of: partner.key)?.count == 1)
            try await store.noteUse(ofPartner: partner.key, at: stage.now)
            await #expect(throws: DomainError.codeUnusable) { try await stage.join("next", token: "late") }
            // Nor does the used code work again once this registry has accepted one of the partner.
            let other = NewPartnerInvitation(
                id: stage.newID(), name: "Other", code: SecretDigest(of: "its code"), created: stage.now,
                expires: stage.now.advanced(by: .days(1)), pseudonyms: [3], by: stage.operatorOfPartners)
            _ = try await store.addPartner(other, stage.partnerTerms(token: "accepted"))
            await #expect(throws: DomainError.codeUnusable) { try await stage.join("next", token: "again") }
            #expect(try await store.credential(token: SecretDigest(of: "accepted"))?.principal == .partner(partner.id))
            let invited = try await stage.partnerInvitation(code: "invited")
            await #expect(throws: DomainError.notFound("partner")) { try await stage.renew(invited.id, code: "x") }
            // A code that has ended does not make the partner one with a token.
            try await stage.renew(partner.id, code: "unused")
            let end = stage.now.advanced(by: .days(1))
            stage.clock.advance(by: .days(2))
            #expect(try await renewal() == end)
            await #expect(throws: DomainError.codeUnusable) { try await stage.join("unused", token: "later") }
        },
        StoreContract("after a restore, a replaced token does not work, but only a removal ends a partnership") {
            store, stage in
            let partner = try await stage.partner()
            try await stage.renew(partner.id, code: "first")
            try await stage.join("first", token: "renewed")
            var entries = try await store.journal()
            // As a backup from before the renewal has it.
            try await store.restore(partner, token: "token")
            #expect(try await store.credential(token: SecretDigest(of: "token")) != nil)
            for entry in entries { try await store.replay(entry) }
            for token in ["token", "renewed"] {
                #expect(try await store.credential(token: SecretDigest(of: token)) == nil)
            }
            #expect(try await store.activePartners().map(\.id) == [partner.id])
            #expect(try await stage.actions().last == "partner.changed")
            try await stage.renew(partner.id, code: "second")
            try await stage.join("second", token: "last")
            #expect(try await store.credential(token: SecretDigest(of: "last"))?.principal == .partner(partner.id))
            try await stage.remove(partner.id)
            entries = try await store.journal()
            // As a backup from before the removal has it.
            try await store.restore(partner, token: "last")
            #expect(try await store.activePartners().map(\.id) == [partner.id])
            for entry in entries { try await store.replay(entry) }
            #expect(try await store.activePartners().isEmpty)
            #expect(try await store.credential(token: SecretDigest(of: "last")) == nil)
            #expect(try await stage.actions().last == "partner.removed")
        },
        StoreContract("visits are addressed to the key that was pinned last, also if it was pinned before") {
            store, stage in
            let partner = try await stage.partner()
            let old = try await stage.foreignStations(1, of: partner)[0]
            func pin(_ number: UInt8) async throws -> [String] {
                let key = try #require(PublicKey(bytes: Array(repeating: number, count: 32)))
                _ = try await store.changePartner(
                    partner.id, PartnerPatch(publicKey: key.pem), quarantineSince: nil, by: stage.operatorOfPartners,
                    at: stage.now)
                return try await store.activePartner(partner.id).publicKeys
            }
            let second = try await pin(8).suffix(1)
            let both = Array(second) + partner.publicKeys
            #expect(try await pin(7) == both)
            let actions = try await stage.actions()
            #expect(actions.last == "partner.changed")
            // The last one changes nothing.
            #expect(try await pin(7) == both)
            #expect(try await stage.actions() == actions)
            // However often, there are not more of them.
            for number in 0..<UInt8(PartnerRules.mostKeys - 2) { _ = try await pin(100 + number) }
            await #expect {
                _ = try await pin(99)
            } throws: { error in
                guard case DomainError.invalidFields(let fields) = error else { return false }
                return fields.map(\.pointer) == ["/publicKey"]
            }
            let keys = try await pin(8)
            #expect(keys.count == PartnerRules.mostKeys && keys.suffix(1) == second)
            // Its stations stay one witness.
            let changed = try await store.activePartner(partner.id)
            let new = try await stage.foreignStations(2, of: changed)[1]
            let before = try #require(try await store.station(old)).station.venue
            let after = try #require(try await store.station(new)).station.venue
            #expect(new != old && before == after)
        },
    ]
}
