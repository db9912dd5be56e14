import Beacons

/// The advertisements of all other devices: a Poisson process over devices that are never stored.
///
/// The properties of a device are derived from a hash of its number, so that a million devices need no memory.
struct AmbientSource: Sendable {
    /// The time of the next advertisement, in nanoseconds since the scenario's start.
    private(set) var next: Int64

    private let devices: UInt64
    /// The number of devices that send readings as iBeacons; they have the lowest numbers.
    private let fakes: UInt64
    /// The mean time between two advertisements in nanoseconds.
    private let meanGap: Double
    /// The weakest signal that is received, in dBm.
    private let weakest: Int
    private let deviceSeed: UInt64
    private var random: SplitMix64
    private var payload: [UInt8] = []

    init(_ ambient: Scenario.Ambient, environment: Scenario.Environment, seed: UInt64) {
        // A beacon's name is never empty, so no beacon shares this stream.
        random = SplitMix64(seed: seed, stream: "")
        deviceSeed = random.next()
        devices = UInt64(ambient.devices)
        fakes = UInt64((Double(ambient.devices) * ambient.fakeIBeacons).rounded())
        meanGap = 1e9 / ambient.rate
        weakest = Int(environment.sensitivity.rounded(.up))
        next = 0
        next = gap()
    }

    /// Appends the advertisement due at ``next`` and draws the time of the following one.
    mutating func transmit(into batch: inout AdvertisementBatch, at instant: ScanInstant) {
        let number = random.next(below: devices)
        let hash = SplitMix64.mix(deviceSeed &+ number &* 0x9E37_79B9_7F4A_7C15)
        payload.removeAll(keepingCapacity: true)
        let event = AmbientFrame.write(into: &payload, device: hash, isFake: number < fakes, random: &random)
        // Each device has its own level, 0 to 39 dB above the weakest signal, with variations for people who move
        // about.
        let rssi = weakest + Int(hash >> 48 % 40) + Int(random.next(below: 7))
        batch.append(
            time: instant,
            address: BluetoothAddress(hash & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000),
            addressKind: .random,
            rssi: Int8(max(-127, min(20, rssi))),
            event: event,
            data: payload.span.bytes
        )
        next += gap()
    }

    /// Draws the time to the next advertisement in nanoseconds.
    private mutating func gap() -> Int64 {
        Int64((random.exponential() * meanGap).rounded())
    }
}
