import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// Tokens, and whom they authenticate.
    static let principals = [
        StoreContract("a token finds its principal, and no other text does") { store, stage in
            let owner = try await stage.owner()
            let station = try await stage.station()
            let operatorID: OperatorID = stage.newID()
            try await store.addOperator(
                Operator(id: operatorID, name: "me", created: stage.now), token: SecretDigest(of: "o"), by: nil)
            #expect(try await store.credential(token: SecretDigest(of: owner.description))?.principal == .owner(owner))
            #expect(
                try await store.credential(token: SecretDigest(of: station.description))?.principal == .station(station)
            )
            #expect(try await store.credential(token: SecretDigest(of: "o"))?.principal == .operator(operatorID))
            #expect(try await store.credential(token: SecretDigest(of: "p"))?.principal == nil)
        },
        StoreContract("an owner can be read back, and an unknown one is not found") { store, stage in
            let owner = try await stage.owner()
            #expect(try await store.owner(owner) == Owner(id: owner, created: stage.now))
            #expect(try await store.owner(stage.newID()) == nil)
        },
        StoreContract("a ready store passes the check") { store, _ in try await store.checkReadiness() },
    ]

    static let bikes = [
        StoreContract("a bike can be read back with every detail") { store, stage in
            let owner = try await stage.owner()
            let details = BikeDraft(
                kind: .scooter, make: "Vespa", model: "PX", colours: [.teal, .white], year: 1983, serial: "s",
                vin: "v", plate: "p", notes: "n\nm"
            )
            let registered = try await store.registerBike(
                NewBike(
                    id: stage.newID(), owner: owner, details: details,
                    identity: .allocated(IdentityAllocation(), stage.entropy), created: stage.now
                ),
                once: nil
            )
            #expect(registered.identity.uuid == NetworkRegion.uuid)
            let read = try await store.bike(registered.id, of: owner)
            #expect(read == registered)
        },
        StoreContract("another owner's bike is not found") { store, stage in
            let owner = try await stage.owner()
            let other = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            #expect(try await store.bike(bike.id, of: other) == nil)
            await #expect(throws: DomainError.notFound("bike")) {
                try await stage.openReport(on: bike.id, of: other)
            }
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.reports(on: bike.id, of: other, PageRequest(limit: 1))
            }
        },
        StoreContract("a taken identity is refused, whoever owns it") { _, stage in
            _ = try await stage.bike(of: try await stage.owner(), Samples.identity(1))
            let other = try await stage.owner()
            await #expect(throws: DomainError.identityTaken) {
                try await stage.bike(of: other, Samples.identity(1))
            }
        },
        StoreContract("allocation ends without a collision once every identity was issued") { _, stage in
            let owner = try await stage.owner()
            let allocation = IdentityAllocation(majors: 1...2, minors: 100...139)
            var issued: [BeaconIdentity] = []
            for _ in 0..<80 { issued.append(try await stage.allocate(allocation, for: owner).identity) }
            #expect(Set(issued).count == 80)
            await #expect(throws: DomainError.identitiesExhausted) {
                try await stage.allocate(allocation, for: owner)
            }
        },
        StoreContract("bikes are paged in the order of their registration") { store, stage in
            let owner = try await stage.owner()
            var registered: [BikeID] = []
            for minor in 1...5 as ClosedRange<UInt16> {
                stage.clock.advance(by: .milliseconds(1))
                registered.append(try await stage.bike(of: owner, Samples.identity(minor)).id)
            }
            var paged: [BikeID] = []
            var next: BikeID?
            repeat {
                let page = try await store.bikes(of: owner, PageRequest(after: next, limit: 2))
                paged += page.items.map(\.id)
                next = page.next
            } while next != nil
            #expect(paged == registered)
        },
    ]

    /// Operators and their tokens.
    static let operators = [
        StoreContract("an operator's token ends when it is revoked, and the last operator's cannot be revoked") {
            store, stage in
            let (first, second): (OperatorID, OperatorID) = (stage.newID(), stage.newID())
            for (id, token) in [(first, "a"), (second, "b")] {
                try await store.addOperator(
                    Operator(id: id, name: token, created: stage.now), token: SecretDigest(of: token), by: nil)
            }
            for _ in 1...2 { #expect(try await store.credential(token: SecretDigest(of: "a")) != nil) }
            let revoked = try await store.revokeOperator(first, by: second, keepsLast: true, at: stage.now)
            #expect(revoked.revoked == stage.now)
            #expect(try await store.credential(token: SecretDigest(of: "a")) == nil)
            await #expect(throws: DomainError.lastOperator) {
                _ = try await store.revokeOperator(second, by: second, keepsLast: true, at: stage.now)
            }
            #expect(try await store.operators(PageRequest(limit: 9)).items.compactMap(\.revoked) == [stage.now])
            _ = try await store.revokeOperator(second, by: nil, keepsLast: false, at: stage.now)
            #expect(try await store.credential(token: SecretDigest(of: "b")) == nil)
            let actions = try await store.auditEntries(AuditFilter(), PageRequest(limit: 99)).items
                .compactMap(\.event?.action)
            #expect(actions.filter { $0 == AuditAction.operatorRevoked.rawValue }.count == 2)
        }
    ]
}

extension Stage {
    fileprivate func allocate(_ allocation: IdentityAllocation, for owner: OwnerID) async throws -> Bike {
        try await store.registerBike(
            NewBike(
                id: newID(), owner: owner, details: Samples.bike, identity: .allocated(allocation, entropy),
                created: now
            ),
            once: nil
        )
    }
}
