public import Beacons
public import RegistryAPI

/// A rotating beacon as the store keeps it.
public struct SealedBeacon: Hashable, Sendable {
    /// The key of the row.
    public let key: Int64
    /// The identity under which the registry knows the beacon. No beacon sends it.
    public let name: BeaconIdentity
    /// The beacon's key, sealed by a ``BeaconVault``.
    public let sealed: [UInt8]
    public let clock: BeaconClock
    /// The slots whose identities are stored; nil if there are none.
    public let stored: ClosedRange<Int64>?
    /// Whether the beacon is marked: its key could not be opened when that was last tried.
    public let isUnreadable: Bool

    public init(
        key: Int64, name: BeaconIdentity, sealed: [UInt8], clock: BeaconClock, stored: ClosedRange<Int64>?,
        isUnreadable: Bool = false
    ) {
        self.isUnreadable = isUnreadable
        self.key = key
        self.name = name
        self.sealed = sealed
        self.clock = clock
        self.stored = stored
    }
}

/// The identities of consecutive slots of one beacon.
public struct DerivedSlots: Sendable {
    /// The beacon's ``SealedBeacon/key``.
    public let beacon: Int64
    public let first: Int64
    public let identities: [BeaconIdentity]

    public init(beacon: Int64, first: Int64, identities: [BeaconIdentity]) {
        self.beacon = beacon
        self.first = first
        self.identities = identities
    }
}

/// Rotating beacons: their sealed keys, and the identities that they send while their bikes are missing.
public protocol RotationStore: Sendable {
    /// The beacon of a bike; nil if it does not rotate.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    func rotatingBeacon(of bike: BikeID, for owner: OwnerID) async throws -> SealedBeacon?

    /// The same for a check of its clock, of which there is a limited number per day: each derives thousands of identities.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `tooManyToday`.
    func beaconToCheck(of bike: BikeID, by act: OwnerAct) async throws -> SealedBeacon?

    /// The beacon of a missing bike, if slots must be stored for it (``RotationRules/missing(at:_:stored:)``).
    func beaconWithoutSlots(of bike: BikeID, at time: Timestamp) async throws -> SealedBeacon?

    /// Those of all missing bikes, part by part, but not those that are marked as unreadable.
    ///
    /// - Parameters:
    ///   - start: 0, or the `next` of the part before.
    ///   - count: the number of missing bikes to look at.
    /// - Returns: `next` is nil if this is the last part.
    func beaconsWithoutSlots(
        after start: Int64, among count: Int, at time: Timestamp
    ) async throws -> (beacons: [SealedBeacon], next: Int64?)

    /// A page of all rotating beacons, in the order of their keys.
    ///
    /// - Parameters:
    ///   - key: the last beacon of the page before.
    ///   - unreadable: whether to read only those that are marked as unreadable.
    func rotatingBeacons(after key: Int64, unreadable: Bool, limit: Int) async throws -> [SealedBeacon]

    /// Marks beacons whose keys cannot be opened, or removes their marks. Owners see the mark.
    func mark(_ beacons: [Int64], unreadable: Bool) async throws

    /// Stores the identities of slots that are next to the stored ones; others take the place of the stored ones.
    func storeSlots(_ slots: [DerivedSlots]) async throws

    /// Moves the windows of the missing list whose slots are stored: all of them if a refresh is due, else those of
    /// beacons without a window. They are one version of the list.
    ///
    /// - Parameter bike: the only bike whose window to move, even if no refresh is due; nil for all.
    /// - Returns: the number of windows that changed.
    func moveWindows(of bike: BikeID?, at time: Timestamp) async throws -> Int

    /// Deletes slots that have passed long ago, of at most this many beacons.
    ///
    /// - Returns: the number of beacons.
    func deleteOldSlots(limit: Int, at time: Timestamp) async throws -> Int

    /// Records what a check near the bike found, and notifies the owner of a large change. The caller must have the
    /// role `manage`.
    ///
    /// - Throws: `notFound`, `roleNeeded`; `beaconClockDiffers` for a large change while the bike is missing.
    func checkBeacon(of bike: BikeID, lag: Int64, by act: OwnerAct) async throws -> Bike

    /// The slots to which stored identities belong, with the clocks of their beacons.
    func slots(of identities: Set<BeaconIdentity>) async throws -> [BeaconIdentity: HeardSlot]

    /// Puts an identity that no beacon has on the missing list, if at least this many bikes are missing. After a month,
    /// another one takes its place.
    ///
    /// - Returns: whether the list has one now.
    func placeCanary(
        from allocation: IdentityAllocation, ifMissing fewest: Int, at time: Timestamp, using entropy: Entropy
    ) async throws -> Bool
}

/// A slot that a station heard.
public struct HeardSlot: Hashable, Sendable {
    public let slot: Int64
    public let clock: BeaconClock

    public init(slot: Int64, clock: BeaconClock) {
        self.slot = slot
        self.clock = clock
    }

    /// When the beacon sent it.
    public var time: ClosedRange<Timestamp> { clock.time(of: slot) }

    /// The number of slots by which that may be wrong.
    var tolerance: Int64 { clock.tolerance(at: slot + clock.lag) }
}
