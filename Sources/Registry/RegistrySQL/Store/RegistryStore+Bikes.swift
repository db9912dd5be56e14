package import Beacons
package import RegistryAPI
package import RegistryRules

/// Bikes and the identities of their beacons, transfers, finds, and the original app's collections.
extension RegistryStore {
    /// Registers a bike; its identity is taken forever, unless it is only claimed.
    ///
    /// - Throws: `identityTaken`, `identitiesExhausted`, `tooManyToday`, `idempotencyKeyReused`.
    public func registerBike(_ bike: NewBike, once: IdempotencyKey?) async throws -> Bike {
        try await write { [quotas] db in try Bikes(db).register(bike, once: once, quotas) }
    }

    /// The bike, if this owner has it or is a member of it.
    public func bike(_ id: BikeID, of owner: OwnerID) async throws -> Bike? {
        try await read { try Bikes($0).find(id, of: owner) }
    }

    /// The bikes that an owner has or is a member of, in the order of their registration.
    public func bikes(of owner: OwnerID, _ page: PageRequest<BikeID>) async throws -> StoredPage<Bike, BikeID> {
        try await read { try Bikes($0).page(of: owner, page) }
    }

    /// Changes the details of a bike if it is unchanged since the caller saw it.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `tooManyToday`.
    public func changeBike(_ bike: Bike, to changed: Bike, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in try Bikes(db).change(bike, to: changed, by: act, quotas) }
    }

    /// Gives a bike another identity, if it is unchanged since the caller saw it;
    /// the previous identity is never issued again.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `bikeMissing`, and what ``registerBike(_:once:)`` throws.
    public func replaceBeacon(of bike: Bike, from source: IdentitySource, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in try BikeBeacons(db).replace(of: bike, from: source, by: act, quotas) }
    }

    /// Exchanges the identities of two bikes of an owner, if the first is unchanged since the caller saw it.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `bikeMissing`, `beaconUnproved`.
    public func exchangeBeacons(of bike: Bike, with other: BikeID, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in try BikeBeacons(db).exchange(of: bike, with: other, by: act, quotas) }
    }

    /// The history of a bike, oldest event first.
    ///
    /// - Throws: `notFound` if this owner has no such bike.
    public func history(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<BikeEvent, Int64> {
        try await read { try BikeBeacons($0).history(of: bike, owner: owner, page) }
    }

    /// Makes stations listen for the beacon of a bike for ``BeaconTest/length``, or until one hears it; replaces the
    /// owner's previous test. Has no effect on a missing bike or a rotating beacon.
    ///
    /// - Throws: `notFound`, `ownerSuspended`, `beaconStopped`, `tooManyToday`.
    public func testBeacon(of bike: BikeID, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in try BeaconTests(db).start(of: bike, by: act, quotas) }
    }

    /// Stores where an owner has left a bike, and replaces the previous place.
    ///
    /// - Throws: `notFound`, `tooManyToday`.
    public func parkBike(_ bike: BikeID, at place: Place, by act: OwnerAct) async throws -> Bike {
        try await write { [quotas] db in try ParkedBikes(db).park(bike, at: place, by: act, quotas) }
    }

    /// Forgets where an owner has left a bike.
    ///
    /// - Throws: `notFound`.
    public func forgetParking(of bike: BikeID, by act: OwnerAct) async throws -> Bike {
        try await write { try ParkedBikes($0).forget(bike, by: act) }
    }

    /// Claimed identities that are waiting for an operator, in the order of their bikes' registration.
    public func claims(_ page: PageRequest<BikeID>) async throws -> StoredPage<BeaconClaim, BikeID> {
        try await read { try BeaconClaims($0).page(page) }
    }

    /// Gives a bike the identity that its owner claims; proof is no longer needed.
    ///
    /// - Throws: `notFound`, `identityTaken`; `invalidFields` if a different identity is claimed by now.
    public func acceptClaim(
        _ checked: BeaconIdentity, of bike: BikeID, by act: OperatorAct
    ) async throws -> BeaconClaim {
        try await write { try BeaconClaims($0).accept(checked, of: bike, by: act) }
    }

    /// Refuses a claim. The bike stays pending: a test can still prove its beacon.
    ///
    /// - Throws: `notFound`.
    public func refuseClaim(of bike: BikeID, reason: String?, by act: OperatorAct) async throws -> BeaconClaim {
        try await write { try BeaconClaims($0).refuse(of: bike, reason: reason, by: act) }
    }

    /// Stores the code that lets a new owner accept a bike; it replaces an earlier code of the same bike.
    ///
    /// - Throws: `notFound`, `bikeMissing`, `missingRecently`; while another bike of the owner is missing,
    ///   `recoveryCodeNeeded` and `codeUnusable`.
    public func offerTransfer(
        of bike: BikeID, code: SecretDigest, expires: Timestamp, by act: OwnerAct
    ) async throws {
        try await write { [quotas] db in
            try Transfers(db).offer(of: bike, code: code, expires: expires, by: act, quotas)
        }
    }

    /// Transfers the bike of a code to the owner who acts, and notifies the previous owner on all channels.
    ///
    /// Reports and sightings stay with the previous owner, invisible to the new one, until they expire;
    /// so do notes and plate.
    /// - Throws: `codeUnusable`, `bikeMissing`, `missingRecently`, `idempotencyKeyReused`.
    public func acceptTransfer(
        code: SecretDigest, by act: OwnerAct, rotating: RotatingBeaconPolicy = .everyone, once: IdempotencyKey?
    ) async throws -> Bike {
        try await write { [quotas] db in
            try Transfers(db).accept(code: code, by: act, rotating: rotating, once: once, quotas)
        }
    }

    /// Stores a find for later processing, which takes the same time whether or not the beacon belongs to a bike.
    ///
    /// - Parameter sender: the pseudonym of its sender (``FindSenders``); nil if it is unknown.
    public func addFind(_ find: Find, from sender: Int64?, at time: Timestamp) async throws {
        try await write { try Finds($0).add(find, from: sender, at: time) }
    }

    public func tellFinds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        // Services look often and seldom find anything. They make a change only if they do, because a change makes all
        // processes of a registry wait.
        guard try await read({ try Finds($0).areWaiting() }) else { return 0 }
        return try await write { try Finds($0).tell(limit: limit, at: time, using: entropy) }
    }

    public func tellReminders(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { try Reminders($0).tell(limit: limit, at: time, using: entropy) }
    }

    public func askAfterQuietReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { try Reminders($0).askAfterQuietReports(limit: limit, at: time, using: entropy) }
    }

    /// Registers a bike under its own minor of the network region's first major, opens its report if it is missing,
    /// and makes its device a channel.
    ///
    /// - Throws: `identityTaken`.
    public func registerAppBike(_ change: AppBikeChange) async throws {
        try await write { [quotas] db in try AppBikes(db).register(change, quotas) }
    }

    /// Updates a bike to the app's data: its details, whether it is missing, and its device.
    ///
    /// - Throws: `notFound` if no bike has this secret, `identityTaken` if a different minor is not free.
    public func updateAppBike(_ change: AppBikeChange) async throws {
        try await write { [quotas] db in try AppBikes(db).update(change, quotas) }
    }

    /// The missing bikes that were registered by the app, the latest first, with their public names.
    public func missingAppBikes(limit: Int) async throws -> [AppBike] {
        try await read { try AppBikes($0).missing(limit: limit) }
    }

    /// Records a sighting from an unknown source; nil if no such bike was missing then.
    ///
    /// - Throws: `forbidden` if the operator has revoked the station that represents the app.
    public func recordAppSighting(
        _ sighting: AppSighting, of bike: BikeID, as visit: VisitID, at time: Timestamp, using entropy: Entropy
    ) async throws -> StoredVisit? {
        try await write { try AppBikes($0).recordSighting(sighting, of: bike, as: visit, at: time, using: entropy) }
    }
}
