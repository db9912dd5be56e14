package import Beacons
package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func registerBike(_ bike: NewBike, once: IdempotencyKey?) async throws -> Bike {
        try await write { [quotas] db in try Bikes(db).register(bike, once: once, quotas) }
    }

    public func bike(_ id: BikeID, of owner: OwnerID) async throws -> Bike? {
        try await read { try Bikes($0).find(id, of: owner) }
    }

    public func bikes(of owner: OwnerID, _ page: PageRequest<BikeID>) async throws -> StoredPage<Bike, BikeID> {
        try await read { try Bikes($0).page(of: owner, page) }
    }

    public func changeBike(_ bike: Bike, to changed: Bike, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in try Bikes(db).change(bike, to: changed, by: act, quotas) }
    }

    public func replaceBeacon(of bike: Bike, from source: IdentitySource, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in try BikeBeacons(db).replace(of: bike, from: source, by: act, quotas) }
    }

    public func exchangeBeacons(of bike: Bike, with other: BikeID, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in try BikeBeacons(db).exchange(of: bike, with: other, by: act, quotas) }
    }

    public func history(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<BikeEvent, Int64> {
        try await read { try BikeBeacons($0).history(of: bike, owner: owner, page) }
    }

    public func testBeacon(of bike: BikeID, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in try BeaconClaims(db).test(of: bike, by: act, quotas) }
    }

    public func claims(_ page: PageRequest<BikeID>) async throws -> StoredPage<BeaconClaim, BikeID> {
        try await read { try BeaconClaims($0).page(page) }
    }

    public func acceptClaim(
        _ checked: BeaconIdentity, of bike: BikeID, by act: OperatorAct
    ) async throws -> BeaconClaim {
        try await write { try BeaconClaims($0).accept(checked, of: bike, by: act) }
    }

    public func refuseClaim(of bike: BikeID, reason: String?, by act: OperatorAct) async throws -> BeaconClaim {
        try await write { try BeaconClaims($0).refuse(of: bike, reason: reason, by: act) }
    }

    public func offerTransfer(
        of bike: BikeID, code: SecretDigest, expires: Timestamp, by act: OwnerAct
    ) async throws {
        try await write { [quotas] db in
            try Transfers(db).offer(of: bike, code: code, expires: expires, by: act, quotas)
        }
    }

    public func acceptTransfer(code: SecretDigest, by act: OwnerAct, once: IdempotencyKey?) async throws -> Bike {
        try await write { [quotas] db in try Transfers(db).accept(code: code, by: act, once: once, quotas) }
    }

    public func addFind(_ find: Find, from sender: Int64?, at time: Timestamp) async throws {
        try await write { try Finds($0).add(find, from: sender, at: time) }
    }

    public func tellFinds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        // Services look often and seldom find anything. Only then do they make a change, because all processes of a
        // registry wait for it.
        guard try await read({ try Finds($0).areWaiting() }) else { return 0 }
        return try await write { try Finds($0).tell(limit: limit, at: time, using: entropy) }
    }

    public func tellReminders(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { try Reminders($0).tell(limit: limit, at: time, using: entropy) }
    }

    public func askAfterQuietReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { try Reminders($0).askAfterQuietReports(limit: limit, at: time, using: entropy) }
    }

    public func registerAppBike(_ change: AppBikeChange) async throws {
        try await write { [quotas] db in try AppBikes(db).register(change, quotas) }
    }

    public func updateAppBike(_ change: AppBikeChange) async throws {
        try await write { [quotas] db in try AppBikes(db).update(change, quotas) }
    }

    public func missingAppBikes(limit: Int) async throws -> [AppBike] {
        try await read { try AppBikes($0).missing(limit: limit) }
    }

    public func recordAppSighting(
        _ sighting: AppSighting, of bike: BikeID, as visit: VisitID, at time: Timestamp, using entropy: Entropy
    ) async throws -> StoredVisit? {
        try await write { try AppBikes($0).recordSighting(sighting, of: bike, as: visit, at: time, using: entropy) }
    }
}
