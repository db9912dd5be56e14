import Beacons

/// Addresses that are known to be public, in a bounded set from which the oldest is dropped.
///
/// bluetoothd reports an address's type only when the device is new. Most addresses are random, as are nearly all
/// beacons', so only public ones are remembered; a dropped one counts as random.
struct PublicAddresses {
    private var addresses: Set<BluetoothAddress> = []
    /// The same addresses in the order in which they were added; full, it is a ring that begins at ``oldest``.
    private var order: [BluetoothAddress] = []
    private var oldest = 0
    private let limit: Int

    init(limit: Int = 1024) {
        self.limit = limit
    }

    /// The type of an address: random, unless it was inserted and not dropped since.
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
