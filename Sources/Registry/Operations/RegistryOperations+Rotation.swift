package import Beacons
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// The service that keeps the identities of missing rotating beacons on the list, with this registry's vault.
    package var rotation: RotationUpkeep {
        RotationUpkeep(
            store: store, vault: vault, allocation: allocation, clock: clock, entropy: entropy, logger: logger)
    }

    /// A new rotating beacon for a bike: a random key, sealed, under a random identity that no beacon sends.
    ///
    /// - Throws: `rotationUnavailable`, `verificationNeeded`.
    func rotatingSource(for owner: OwnerID) async throws -> IdentitySource {
        guard let vault else { throw DomainError.rotationUnavailable }
        if rotatingBeacons == .verified, try await store.owner(owner)?.verified == nil {
            throw DomainError.verificationNeeded
        }
        var entropy = entropy
        let name = BeaconIdentity(
            uuid: ProximityUUID(high: entropy.next(), low: entropy.next()), major: entropy.next(),
            minor: entropy.next())
        return .rotating(name, sealed: try vault.seal(.random(using: &entropy), of: name))
    }

    /// The key of the rotating beacon that a bike was registered with, for the response to that call; nil if it has
    /// another beacon.
    ///
    /// A repeated call gets the key again, since the first response may have been lost; but it never gets the key of a
    /// beacon that the bike got later.
    package func keyOfRegistration(of bike: Bike, for owner: OwnerID) async throws -> RotatingBeaconKey? {
        guard bike.rotation != nil else { return nil }
        let history = try await store.history(of: bike.id, owner: owner, PageRequest(limit: 1))
        guard history.items.first?.identity == bike.identity else { return nil }
        return try await newKey(of: bike, for: owner)
    }

    /// The key of a bike's beacon, for the response to the call that made it; nil if the beacon does not rotate, or has
    /// been replaced meanwhile.
    package func newKey(of bike: Bike, for owner: OwnerID) async throws -> RotatingBeaconKey? {
        guard bike.rotation != nil, let beacon = try await store.rotatingBeacon(of: bike.id, for: owner),
            beacon.name == bike.identity
        else { return nil }
        return try opened(beacon)
    }

    /// Looks for the bike's beacon among the identities just heard near the bike, and corrects the stored lag of its
    /// clock.
    ///
    /// - Throws: `beaconNotRotating`, `tooManyToday`, `invalidFields` if none of the identities is the beacon's.
    package func checkBeacon(_ check: BeaconCheck, of bike: BikeID, by act: OwnerAct) async throws -> Bike {
        guard let beacon = try await store.beaconToCheck(of: bike, by: act) else {
            throw DomainError.beaconNotRotating
        }
        let heard = Set(check.identities)
        guard let slot = RotationRules.slot(of: try opened(beacon), among: heard, at: act.time) else {
            throw DomainError.invalidField(
                "/identities", "contains nothing that the bike’s beacon sends; hold the beacon near, and try again")
        }
        let lag = RotationRules.slot(at: act.time) - slot
        let checked = try await store.checkBeacon(of: bike, lag: lag, by: act)
        if checked.openReport != nil {
            await rotation.list(bike)
        }
        return checked
    }

    /// The key of a beacon.
    ///
    /// - Throws: `beaconKeyUnreadable`.
    private func opened(_ beacon: SealedBeacon) throws -> RotatingBeaconKey {
        guard let key = vault?.open(beacon.sealed, of: beacon.name) else { throw DomainError.beaconKeyUnreadable }
        return key
    }
}
