extension RotatingBeaconKey {
    /// The identity that the beacon sends in a slot.
    public func identity(at slot: RotatingSlot) -> BeaconIdentity {
        identity(at: slot, epochKey: epochKey(of: slot))
    }

    /// The identities of consecutive slots, in order. Faster than one by one: 64 slots share an intermediate key.
    public func identities(in slots: ClosedRange<RotatingSlot>) -> [BeaconIdentity] {
        var epoch = slots.lowerBound.epoch
        var key = epochKey(of: slots.lowerBound)
        return slots.map { slot in
            if slot.epoch != epoch {
                epoch = slot.epoch
                key = epochKey(of: slot)
            }
            return identity(at: slot, epochKey: key)
        }
    }

    /// The radio address in a slot; it changes together with the identity, so that neither reveals the other's change.
    public func address(at slot: RotatingSlot, kind: RotatingAddressKind = .nonResolvable) -> BluetoothAddress {
        let words = derived(from: words, purpose: "A", number: slot.number)
        let value = UInt64(words[0]) << 16 | UInt64(words[1] >> 16)
        let rest = value & 0x3FFF_FFFF_FFFF
        return BluetoothAddress(kind == .nonResolvable ? rest : rest | 0xC000_0000_0000)
    }

    /// All that the beacon sends in a slot.
    public func frame(at slot: RotatingSlot) -> IBeacon {
        IBeacon(identity: identity(at: slot), measuredPower: Self.measuredPower)
    }

    /// The measured power in dBm that every rotating beacon claims: a different value would mark a beacon across slots.
    public static let measuredPower: Int8 = -59

    /// The interval in milliseconds at which every rotating beacon advertises, for the same reason.
    public static let advertisingInterval = 1000

    private func epochKey(of slot: RotatingSlot) -> InlineArray<4, UInt32> {
        let words = derived(from: words, purpose: "E", number: slot.epoch)
        return [words[0], words[1], words[2], words[3]]
    }

    private func identity(at slot: RotatingSlot, epochKey: InlineArray<4, UInt32>) -> BeaconIdentity {
        let uuid = derived(from: epochKey, purpose: "L", number: slot.number)
        let numbers = derived(from: words, purpose: "T", number: slot.number)[0]
        return BeaconIdentity(
            uuid: ProximityUUID(
                high: UInt64(uuid[0]) << 32 | UInt64(uuid[1]),
                low: UInt64(uuid[2]) << 32 | UInt64(uuid[3])
            ),
            major: UInt16(truncatingIfNeeded: numbers >> 16),
            minor: UInt16(truncatingIfNeeded: numbers)
        )
    }
}

/// The two kinds of random address that change with the identity (Core Specification 5.4, volume 6, part B, section
/// 1.3.2).
public enum RotatingAddressKind: Sendable {
    /// Non-resolvable private: the two most significant bits are 0.
    case nonResolvable
    /// Static random: both bits are 1. For firmware that can set no other address.
    case staticRandom
}

extension RotatingBeaconKey {
    /// What a device with the reference firmware is provisioned with: “FMBrot1” and a zero, the key, the time in
    /// seconds, and four bytes derived from both, so that the firmware detects damage. 32 bytes; they reveal the key.
    public func record(beaconSeconds: UInt32) -> [UInt8] {
        var record = Array("FMBrot1\0".utf8) + bytes
        record.append(bigEndian: beaconSeconds)
        record.append(bigEndian: derived(from: words, purpose: "P", number: beaconSeconds)[0])
        return record
    }
}

/// The one-step key derivation of NIST SP 800-56C with SHA-256: counter 1, the secret, and 21 bytes of fixed
/// information, which name the profile, the purpose and the slot or epoch. Its 41 bytes and the padding are one block.
private func derived(
    from secret: InlineArray<4, UInt32>, purpose: Unicode.Scalar, number: UInt32
) -> InlineArray<8, UInt32> {
    var block = InlineArray<16, UInt32>(repeating: 0)
    block[0] = 1
    for index in 0..<4 { block[1 + index] = secret[index] }
    // “FindMyBike rot 1” in ASCII.
    block[5] = 0x4669_6E64
    block[6] = 0x4D79_4269
    block[7] = 0x6B65_2072
    block[8] = 0x6F74_2031
    block[9] = purpose.value << 24 | number >> 8
    block[10] = number << 24 | 0x80_0000
    block[15] = 41 * 8
    var state = DigestState()
    state.absorb(block)
    return state.words
}
