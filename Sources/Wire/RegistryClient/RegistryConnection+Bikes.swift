import HTTPClient
public import RegistryAPI

// Requests about bikes, their beacons and their owners.
extension RegistryConnection {
    public func registerBike(_ draft: BikeDraft, idempotencyKey: String = newIdempotencyKey) async throws -> Bike {
        try await post("/v1/bikes", draft, idempotencyKey: idempotencyKey)
    }

    /// The owner's own bikes, and those of which the caller is a member.
    public func bikes(after cursor: String? = nil) async throws -> Page<Bike> {
        try await get("/v1/bikes" + Self.query(cursor))
    }

    public func bike(_ id: BikeID) async throws -> Bike {
        try await get("/v1/bikes/\(id)")
    }

    /// Changes the description of a bike. Retrying is safe.
    public func changeBike(_ id: BikeID, _ patch: BikePatch) async throws -> Bike {
        try await changeSeen("/v1/bikes/\(id)", .patch, patch, isRepeatable: true)
    }

    /// Erases a bike and all that belongs to it.
    public func eraseBike(_ id: BikeID, recoveryCode: String? = nil) async throws {
        try await removeSeen("/v1/bikes/\(id)", recoveryCode: recoveryCode)
    }

    public func history(of bike: BikeID, after cursor: String? = nil) async throws -> Page<BikeEvent> {
        try await get("/v1/bikes/\(bike)/history" + Self.query(cursor))
    }

    /// Gives the bike another beacon. Do not retry after a lost response; read the bike first.
    public func changeBeacon(of bike: BikeID, _ change: BeaconChange) async throws -> Bike {
        try await changeSeen("/v1/bikes/\(bike)", .post, change, to: "/beacon")
    }

    /// Starts the test of the bike's beacon. Retrying is safe: the test starts again.
    public func testBeacon(of bike: BikeID) async throws -> Bike {
        try await post("/v1/bikes/\(bike)/beacon/test", EmptyBody(), isRepeatable: true)
    }

    /// Looks for the bike's rotating beacon among what was heard near it just now. Retrying is safe: the last check
    /// counts.
    public func checkBeacon(of bike: BikeID, _ check: BeaconCheck) async throws -> Bike {
        try await post("/v1/bikes/\(bike)/beacon/check", check, isRepeatable: true)
    }

    /// Creates a transfer code. Retrying is safe: only the newest code is valid.
    public func offerTransfer(of bike: BikeID, recoveryCode: String? = nil) async throws -> Transfer {
        try await post("/v1/bikes/\(bike)/transfer", EmptyBody(), recoveryCode: recoveryCode)
    }

    /// Takes over a bike with the code of its owner.
    public func acceptTransfer(code: String, idempotencyKey: String = newIdempotencyKey) async throws -> Bike {
        try await post("/v1/transfers", TransferAcceptance(code: code), idempotencyKey: idempotencyKey)
    }

    /// Reports a found beacon to its holder. The response does not reveal whether the beacon has one. Never retried,
    /// because the holder would be notified twice.
    public func tell(_ find: Find) async throws {
        try await send(.post, "/v1/finds", find)
    }

    /// Asks whether a bike with a number is missing. Retrying is safe.
    public func check(_ draft: NumberCheckDraft) async throws -> NumberCheck {
        try await post("/v1/checks", draft, isRepeatable: true)
    }
}
