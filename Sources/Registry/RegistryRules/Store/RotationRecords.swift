public import Beacons
public import RegistryAPI

/// A rotating beacon as the store keeps it.
public struct SealedBeacon: Hashable, Sendable {
    /// The key of the row.
    public let key: Int64
    /// The registry's name for the beacon, which no beacon sends.
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
        self.key = key
        self.name = name
        self.sealed = sealed
        self.clock = clock
        self.stored = stored
        self.isUnreadable = isUnreadable
    }
}

/// The identities of consecutive slots of one beacon.
public struct DerivedSlots: Sendable {
    /// The beacon's ``SealedBeacon/key``.
    public let beacon: Int64
    /// The number of the first slot.
    public let first: Int64
    public let identities: [BeaconIdentity]

    public init(beacon: Int64, first: Int64, identities: [BeaconIdentity]) {
        self.beacon = beacon
        self.first = first
        self.identities = identities
    }
}

/// A slot that a station heard.
public struct HeardSlot: Hashable, Sendable {
    /// The number of the slot.
    public let slot: Int64
    /// What was known about the beacon's clock.
    public let clock: BeaconClock

    public init(slot: Int64, clock: BeaconClock) {
        self.slot = slot
        self.clock = clock
    }

    /// When the beacon sent it.
    public var time: ClosedRange<Timestamp> { clock.time(of: slot) }

    /// How many slots ``time`` may be off.
    var tolerance: Int64 { clock.tolerance(at: slot + clock.lag) }
}
