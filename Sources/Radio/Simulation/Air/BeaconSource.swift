import Beacons

/// One simulated beacon: the time of its next transmission, and the received signal strength.
struct BeaconSource: Sendable {
    /// The time of the next frame in nanoseconds since the scenario's start; nil once the beacon is gone.
    private(set) var next: Int64?
    /// The advertising data of the current frame.
    private(set) var payload: [UInt8]
    /// The slot of ``payload``, for a beacon that rotates.
    private var slot: RotatingSlot?

    private let beacon: Scenario.Beacon
    private let environment: Scenario.Environment
    // In nanoseconds: 128-bit arithmetic for each frame would take most of a simulation’s time.
    private let interval: Int64
    private let jitter: UInt64
    /// The environment's correlation time of shadowing in seconds.
    private let correlationTime: Double
    private let addressSeed: UInt64
    private var random: SplitMix64
    /// What shadowing currently adds to the signal, in dB.
    private var shadowing: Double
    /// The time of the last frame in nanoseconds since the scenario's start.
    private var lastFrame: Int64

    init(_ beacon: Scenario.Beacon, environment: Scenario.Environment, seed: UInt64) {
        self.beacon = beacon
        self.environment = environment
        interval = beacon.interval.wholeNanoseconds
        jitter = UInt64(beacon.jitter.wholeNanoseconds)
        correlationTime = environment.shadowingCorrelation.seconds
        payload = beacon.frame.advertisingData
        random = SplitMix64(seed: seed, stream: beacon.name)
        addressSeed = random.next()
        shadowing = environment.shadowingSigma * random.normal()
        let phase = random.next(below: UInt64(interval))
        lastFrame = beacon.trajectory.present.lowerBound + Int64(phase)
        next = beacon.trajectory.present.contains(lastFrame) ? lastFrame : nil
    }

    /// Transmits the frame that is due at `time`; returns its signal strength in dBm, or nil if it is not received.
    mutating func transmit(at time: Int64) -> Int8? {
        guard let rssi = send(at: time), rssi >= environment.sensitivity else { return nil }
        return Int8(max(-127, min(20, rssi.rounded())))
    }

    /// Transmits the frame that is due at `time`; returns its signal strength in dBm however weak it is, or nil if the
    /// frame is lost.
    mutating func send(at time: Int64) -> Double? {
        let rssi = signal(at: time)
        // Drawn for every frame, so that later random values do not depend on whether this frame is received.
        let isLost = random.uniform() < environment.packetLoss
        let delay = random.next(below: jitter + 1)
        let following = time + interval + Int64(delay)
        next = beacon.trajectory.present.contains(following) ? following : nil
        return rotate(at: time) && !isLost ? rssi : nil
    }

    /// Changes what is sent, if a slot has ended; false without power.
    private mutating func rotate(at time: Int64) -> Bool {
        guard let rotation = beacon.rotation else { return true }
        guard let now = rotation.slot(at: time) else { return false }
        if now != slot {
            slot = now
            payload =
                IBeacon(identity: rotation.key.identity(at: now), measuredPower: beacon.measuredPower).advertisingData
        }
        return true
    }

    /// The address at a time: derived from the key of a rotating beacon; otherwise static random, or resolvable private
    /// if the scenario changes it (Core Specification, volume 6, part B, section 1.3.2: the two top bits encode the type).
    func address(at time: Int64) -> BluetoothAddress {
        if let key = beacon.rotation?.key, let slot { return key.address(at: slot) }
        guard let period = beacon.addressRotation?.wholeNanoseconds else {
            return BluetoothAddress(addressSeed | 0xC000_0000_0000)
        }
        let hash = SplitMix64.mix(addressSeed &+ UInt64(time / period))
        return BluetoothAddress(hash & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000)
    }

    /// The modelled signal in dBm; shadowing is a first-order autoregressive process with the environment's deviation.
    private mutating func signal(at time: Int64) -> Double {
        let correlation = Scenario.Environment.correlation(over: time - lastFrame, constant: correlationTime)
        let innovation = (1 - correlation * correlation).squareRoot() * environment.shadowingSigma
        shadowing = correlation * shadowing + innovation * random.normal()
        lastFrame = time
        let metres = beacon.trajectory.metres(at: time)
        return environment.meanRSSI(measuredPower: beacon.measuredPower, metres: metres) + shadowing
    }
}
