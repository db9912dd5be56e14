import Beacons

extension BluetoothAddress {
    /// The address in the path of a device object, `/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF`; nil for any other path.
    init?(devicePath path: UnsafeBufferPointer<UInt8>) {
        let prefix: StaticString = "/dev_"
        // Six pairs of digits with five underscores between them.
        let addressLength = 17
        let start = path.count - addressLength
        guard start >= prefix.utf8CodeUnitCount else { return nil }
        for index in 0..<prefix.utf8CodeUnitCount
        where path[start - prefix.utf8CodeUnitCount + index] != prefix.utf8Start[index] { return nil }
        var value: UInt64 = 0
        for index in 0..<addressLength {
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
