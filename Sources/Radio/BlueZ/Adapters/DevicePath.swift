import Beacons

extension BluetoothAddress {
    /// The address in the path of a device object, `/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF`; nil for any other path.
    init?(devicePath path: UnsafeBufferPointer<UInt8>) {
        let prefix: StaticString = "/dev_"
        let start = path.count - 17
        guard start >= prefix.utf8CodeUnitCount else { return nil }
        for index in 0..<prefix.utf8CodeUnitCount
        where path[start - prefix.utf8CodeUnitCount + index] != prefix.utf8Start[index] { return nil }
        var value: UInt64 = 0
        for index in 0..<17 {
            let letter = path[start + index]
            if index % 3 == 2 {
                guard letter == UInt8(ascii: "_") else { return nil }
            } else {
                guard let digit = hexadecimalValue(letter) else { return nil }
                value = value << 4 | UInt64(digit)
            }
        }
        self.init(value)
    }
}

/// Addresses that are known to be public, in a bounded set from which the oldest is dropped.
///
/// bluetoothd reports an address's type only when the device is new. Most addresses are random, as are nearly all
/// beacons', so only public ones are remembered; a dropped one counts as random.
struct PublicAddresses {
    private var addresses: Set<BluetoothAddress> = []
    private var order: [BluetoothAddress] = []
    private var oldest = 0
    private let limit: Int

    init(limit: Int = 1024) {
        self.limit = limit
    }

    func kind(of address: BluetoothAddress) -> BluetoothAddress.Kind {
        addresses.contains(address) ? .public : .random
    }

    mutating func insert(_ address: BluetoothAddress) {
        guard addresses.insert(address).inserted else { return }
        guard order.count == limit else {
            order.append(address)
            return
        }
        addresses.remove(order[oldest])
        order[oldest] = address
        oldest = (oldest + 1) % limit
    }
}
