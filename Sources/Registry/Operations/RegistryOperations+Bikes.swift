import Beacons
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Registers a bike. A given identity must pass the policy and be proved; without one, the registry allocates it.
    package func registerBike(_ draft: BikeDraft, of owner: OwnerID, once: IdempotencyKey?) async throws -> Bike {
        try draft.requireReadableVIN()
        try draft.requireCheckableNumbers()
        var entropy = entropy
        let now = clock.now
        let bike = NewBike(
            id: BikeID(at: now, using: &entropy), owner: owner, details: draft,
            identity: try await source(of: draft.identity, isRotating: draft.rotating == true, for: owner), created: now
        )
        return try await store.registerBike(bike, once: once)
    }

    private func source(
        of identity: BeaconIdentity?, isRotating: Bool, for owner: OwnerID
    ) async throws -> IdentitySource {
        if isRotating { return try await rotatingSource(for: owner) }
        guard let identity else { return .allocated(allocation, entropy) }
        if let refusal = givenIdentities.refusal(of: identity) { throw DomainError.invalidFields([refusal]) }
        return .claimed(identity, entropy)
    }

    package func bike(_ id: BikeID, of owner: OwnerID) async throws -> Bike {
        guard let bike = try await store.bike(id, of: owner) else { throw DomainError.notFound("bike") }
        return bike
    }

    /// Changes a bike if it is unchanged since the caller saw it.
    package func changeBike(_ bike: Bike, _ patch: BikePatch, by act: OwnerAct) async throws -> Bike {
        let wanted = patch.applied(to: bike, at: act.time)
        if wanted.vin != bike.vin { try wanted.details.requireReadableVIN() }
        if wanted.buyerCheck != bike.buyerCheck || wanted.serial != bike.serial || wanted.vin != bike.vin {
            try wanted.details.requireCheckableNumbers()
        }
        return try await store.changeBike(bike, to: wanted, by: act)
    }

    /// Erases a bike if it is unchanged since the caller saw it.
    package func eraseBike(_ bike: Bike, by act: OwnerAct) async throws {
        try await store.eraseBike(bike, by: act)
        await deletePictures()
    }

    /// Gives a bike another beacon if the bike is unchanged since the caller saw it.
    package func changeBeacon(of bike: Bike, _ change: BeaconChange, by act: OwnerAct) async throws -> Bike {
        if let other = change.exchangedWith {
            guard other != bike.id else {
                throw DomainError.invalidField("/exchangedWith", "is the same bike; name another one")
            }
            return try await store.exchangeBeacons(of: bike, with: other, by: act)
        }
        guard change.identity == nil || change.identity != bike.identity else {
            throw DomainError.invalidField("/identity", "is already the bike’s beacon; no change is needed")
        }
        let source = try await source(of: change.identity, isRotating: change.rotating == true, for: act.owner)
        return try await store.replaceBeacon(of: bike, from: source, by: act)
    }
}
