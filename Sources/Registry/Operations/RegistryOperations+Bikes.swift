public import RegistryAPI

extension RegistryOperations {
    /// Registers a bike. A given identity must pass the policy; without one, the registry allocates it.
    public func registerBike(_ draft: BikeDraft, of owner: OwnerID, once: OnceKey?) async throws -> Bike {
        if let identity = draft.identity, let refusal = givenIdentities.refusal(of: identity) {
            throw DomainError.invalidFields([refusal])
        }
        var entropy = entropy
        let now = clock.now
        let bike = NewBike(
            id: BikeID(at: now, using: &entropy),
            owner: owner,
            details: draft,
            identity: draft.identity.map(NewBike.Identity.given) ?? .allocated(allocation, self.entropy),
            created: now
        )
        return try await store.registerBike(bike, once: once)
    }

    public func bike(_ id: BikeID, of owner: OwnerID) async throws -> Bike {
        guard let bike = try await store.bike(id, of: owner) else { throw DomainError.notFound("bike") }
        return bike
    }

    public func bikes(of owner: OwnerID, _ page: PageRequest<BikeID>) async throws -> StoredPage<Bike, BikeID> {
        try await store.bikes(of: owner, page)
    }
}
