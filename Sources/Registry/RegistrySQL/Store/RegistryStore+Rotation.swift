package import Beacons
package import RegistryAPI
package import RegistryRules

/// Rotating beacons: their sealed keys, and the identities that they send while their bikes are missing.
extension RegistryStore {
    /// The beacon of a bike; nil if it does not rotate.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    public func rotatingBeacon(of bike: BikeID, for owner: OwnerID) async throws -> SealedBeacon? {
        try await read { try RotatingBeacons($0).find(of: bike, for: owner) }
    }

    /// The same for a check of its clock. The number of checks per day is limited, since each derives thousands of
    /// identities.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `tooManyToday`.
    public func beaconToCheck(of bike: BikeID, by act: OwnerAct) async throws -> SealedBeacon? {
        try await write { [quotas] in try RotatingBeacons($0).findToCheck(bike, by: act, quotas) }
    }

    /// The beacon of a missing bike, if slots must be stored for it (``RotationRules/missing(at:_:stored:)``).
    public func beaconWithoutSlots(of bike: BikeID, at time: Timestamp) async throws -> SealedBeacon? {
        try await read { try RotatingBeacons($0).withoutSlots(of: bike, at: time) }
    }

    /// The beacons of all missing bikes for which slots must be stored, part by part, without those that are marked as
    /// unreadable.
    ///
    /// - Parameters:
    ///   - start: 0, or the `next` of the part before.
    ///   - count: the number of missing bikes to look at.
    /// - Returns: `next` is nil if this is the last part.
    public func beaconsWithoutSlots(
        after start: Int64, among count: Int, at time: Timestamp
    ) async throws -> (beacons: [SealedBeacon], next: Int64?) {
        try await readAtLength { try RotatingBeacons($0).withoutSlots(after: start, among: count, at: time) }
    }

    /// A page of all rotating beacons, in the order of their keys.
    ///
    /// - Parameters:
    ///   - key: the last beacon of the page before.
    ///   - unreadable: whether to read only those that are marked as unreadable.
    public func rotatingBeacons(after key: Int64, unreadable: Bool, limit: Int) async throws -> [SealedBeacon] {
        try await readAtLength { try RotatingBeacons($0).page(after: key, unreadable: unreadable, limit: limit) }
    }

    /// Marks beacons whose keys cannot be opened, or removes their marks. Owners see the mark.
    public func mark(_ beacons: [Int64], unreadable: Bool) async throws {
        try await write { try RotatingBeacons($0).mark(beacons, unreadable: unreadable) }
    }

    /// Stores the identities of slots that are next to the stored ones; others take the place of the stored ones.
    public func storeSlots(_ slots: [DerivedSlots]) async throws {
        try await write { try RotatingBeacons($0).store(slots) }
    }

    /// Moves the windows of the missing list whose slots are stored: all of them if a refresh is due, otherwise those
    /// of beacons without a window. Together they make one version of the list.
    ///
    /// - Parameter bike: the only bike whose window to move, even if no refresh is due; nil for all.
    /// - Returns: the number of windows that changed.
    public func moveWindows(of bike: BikeID?, at time: Timestamp) async throws -> Int {
        let mustMove =
            if bike == nil {
                try await readAtLength { try RotatingWindows($0).mustMove(of: nil, at: time) }
            } else {
                try await read { try RotatingWindows($0).mustMove(of: bike, at: time) }
            }
        return mustMove ? try await write { try RotatingWindows($0).move(of: bike, at: time) } : 0
    }

    /// Deletes slots that have passed long ago, of at most this many beacons.
    ///
    /// - Returns: the number of beacons.
    public func deleteOldSlots(limit: Int, at time: Timestamp) async throws -> Int {
        guard try await read({ try RotatingBeacons($0).hasOldSlots(at: time) }) else { return 0 }
        return try await write { try RotatingBeacons($0).deleteOldSlots(limit: limit, at: time) }
    }

    /// Records what a check near the bike found, and notifies the owner of a large change. The caller must have the
    /// role `manage`.
    ///
    /// - Throws: `notFound`, `roleNeeded`; `beaconClockDiffers` for a large change while the bike is missing.
    public func checkBeacon(of bike: BikeID, lag: Int64, by act: OwnerAct) async throws -> Bike {
        try await write { try RotatingBeacons($0).check(bike, lag: lag, by: act) }
    }

    /// The slots to which stored identities belong, with the clocks of their beacons.
    public func slots(of identities: Set<BeaconIdentity>) async throws -> [BeaconIdentity: HeardSlot] {
        try await read { try RotatingBeacons($0).slots(of: identities) }
    }

    /// Puts an identity that no beacon has on the missing list, if at least this many bikes are missing. After a month,
    /// another one takes its place.
    ///
    /// - Returns: whether the list has one now.
    public func placeCanary(
        from allocation: IdentityAllocation, ifMissing fewest: Int, at time: Timestamp, using entropy: Entropy
    ) async throws -> Bool {
        if try await read({ try Canaries($0).isFresh(at: time) }) { return true }
        return try await write { try Canaries($0).place(from: allocation, ifMissing: fewest, at: time, using: entropy) }
    }
}
