import Evidence
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// How the tokens and keys of a partner change.
    static let partnerRenewal = [
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
            await #expect(throws: DomainError.overloaded) { _ = try await pin(99) }
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
