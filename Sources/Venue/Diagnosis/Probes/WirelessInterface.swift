import Glibc

/// A Wi-Fi interface of this machine.
public struct WirelessInterface: Hashable, Sendable {
    /// The name, such as `wlan0`.
    public let name: String
    /// Whether it is connected, or is an access point.
    public let isInUse: Bool
    /// Whether it is a USB stick, so that it shares no chip with a built-in Bluetooth controller.
    public let isUSB: Bool
    /// The frequency in megahertz; nil if the kernel does not report it.
    public let frequency: Int?

    public init(name: String, isInUse: Bool, isUSB: Bool, frequency: Int?) {
        self.name = name
        self.isInUse = isInUse
        self.isUSB = isUSB
        self.frequency = frequency
    }

    /// - Parameter frequency: queries the kernel for an interface's frequency.
    static func all(_ files: SystemFiles, frequency: (String) -> Int?) -> [WirelessInterface] {
        let folder = "/sys/class/net"
        return files.names(in: folder).compactMap { name in
            // The first exists only with the older wireless extensions.
            guard files.exists("\(folder)/\(name)/wireless") || files.exists("\(folder)/\(name)/phy80211") else {
                return nil
            }
            let isInUse = files.text("\(folder)/\(name)/operstate") == "up"
            return WirelessInterface(
                name: name,
                isInUse: isInUse,
                isUSB: ControllerBus(devicePath: files.target("\(folder)/\(name)/device")) == .usb,
                frequency: isInUse ? frequency(name) : nil
            )
        }
    }
}

/// The frequency of a Wi-Fi interface from the wireless extensions (linux/wireless.h, `SIOCGIWFREQ`).
public enum WirelessFrequency {
    /// `SIOCGIWFREQ`.
    private static let getFrequency: UInt = 0x8B05
    /// `IFNAMSIZ`: the bytes of an interface's name, with the zero after it.
    private static let nameLength = 16

    /// The frequency in megahertz; nil if the interface is gone or its driver does not report it.
    @Sendable
    public static func megahertz(of interface: String) -> Int? {
        guard interface.utf8.count < nameLength else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // struct iwreq: the name in 16 bytes, then 16 bytes; struct iw_freq uses the first 8 of these: m, e, i, flags.
        var request = [UInt8](repeating: 0, count: 32)
        request.replaceSubrange(0..<interface.utf8.count, with: interface.utf8)
        guard ioctl(descriptor, getFrequency, &request) == 0 else { return nil }
        return request.withUnsafeBytes {
            megahertz(
                mantissa: $0.loadUnaligned(fromByteOffset: nameLength, as: Int32.self),
                exponent: $0.loadUnaligned(fromByteOffset: nameLength + 4, as: Int16.self)
            )
        }
    }

    /// The frequency from `m · 10^e` Hz, or from a channel number if that is below 1000 (linux/wireless.h, struct
    /// iw_freq).
    static func megahertz(mantissa: Int32, exponent: Int16) -> Int? {
        guard mantissa > 0, (0...9).contains(exponent) else { return nil }
        if exponent == 0, mantissa < 1000 { return megahertz(ofChannel: Int(mantissa)) }
        let hertz = (0..<exponent).reduce(Int(mantissa)) { value, _ in value * 10 }
        return hertz / 1_000_000
    }

    /// IEEE 802.11, annex E: channels up to 14 are at 2.4 GHz.
    private static func megahertz(ofChannel channel: Int) -> Int {
        switch channel {
        case ..<14: 2407 + 5 * channel
        case 14: 2484
        default: 5000 + 5 * channel
        }
    }
}
