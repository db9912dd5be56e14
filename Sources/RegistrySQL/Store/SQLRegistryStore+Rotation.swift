package import Beacons
package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func rotatingBeacon(of bike: BikeID, for owner: OwnerID) async throws -> SealedBeacon? {
        try await read { try RotatingBeacons($0).find(of: bike, for: owner) }
    }

    public func beaconToCheck(of bike: BikeID, by act: OwnerAct) async throws -> SealedBeacon? {
        try await write { [quotas] in try RotatingBeacons($0).findToCheck(bike, by: act, quotas) }
    }

    public func beaconWithoutSlots(of bike: BikeID, at time: Timestamp) async throws -> SealedBeacon? {
        try await read { try RotatingBeacons($0).withoutSlots(of: bike, at: time) }
    }

    public func beaconsWithoutSlots(
        after start: Int64, among count: Int, at time: Timestamp
    ) async throws -> (beacons: [SealedBeacon], next: Int64?) {
        try await readAtLength { try RotatingBeacons($0).withoutSlots(after: start, among: count, at: time) }
    }

    public func rotatingBeacons(after key: Int64, unreadable: Bool, limit: Int) async throws -> [SealedBeacon] {
        try await readAtLength { try RotatingBeacons($0).page(after: key, unreadable: unreadable, limit: limit) }
    }

    public func mark(_ beacons: [Int64], unreadable: Bool) async throws {
        try await write { try RotatingBeacons($0).mark(beacons, unreadable: unreadable) }
    }

    public func storeSlots(_ slots: [DerivedSlots]) async throws {
        try await write { try RotatingBeacons($0).store(slots) }
    }

    public func moveWindows(of bike: BikeID?, at time: Timestamp) async throws -> Int {
        let mustMove =
            if bike == nil {
                try await readAtLength { try RotatingWindows($0).mustMove(of: nil, at: time) }
            } else {
                try await read { try RotatingWindows($0).mustMove(of: bike, at: time) }
            }
        return mustMove ? try await write { try RotatingWindows($0).move(of: bike, at: time) } : 0
    }

    public func deleteOldSlots(limit: Int, at time: Timestamp) async throws -> Int {
        guard try await read({ try RotatingBeacons($0).hasOldSlots(at: time) }) else { return 0 }
        return try await write { try RotatingBeacons($0).deleteOldSlots(limit: limit, at: time) }
    }

    public func checkBeacon(of bike: BikeID, lag: Int64, by act: OwnerAct) async throws -> Bike {
        try await write { try RotatingBeacons($0).check(bike, lag: lag, by: act) }
    }

    public func slots(of identities: Set<BeaconIdentity>) async throws -> [BeaconIdentity: HeardSlot] {
        try await read { try RotatingBeacons($0).slots(of: identities) }
    }

    public func placeCanary(
        from allocation: IdentityAllocation, ifMissing fewest: Int, at time: Timestamp, using entropy: Entropy
    ) async throws -> Bool {
        if try await read({ try Canaries($0).isFresh(at: time) }) { return true }
        return try await write { try Canaries($0).place(from: allocation, ifMissing: fewest, at: time, using: entropy) }
    }
}
