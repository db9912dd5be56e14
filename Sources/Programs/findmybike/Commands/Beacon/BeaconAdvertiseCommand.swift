import ArgumentParser
import Beacons
import BlueZ
import CommandSupport
import DBus
import Foundation

/// `findmybike beacon advertise`: makes this machine a beacon, with a fixed or a rotating identity.
struct BeaconAdvertiseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advertise",
        abstract: "Act as an iBeacon until Ctrl-C.",
        discussion: """
            Receive it with another machine or another adapter: an adapter does not hear itself. Press Ctrl-C to stop.
              findmybike beacon advertise 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:20815
            With --rotating, it changes its identity every 17 minutes. The kernel changes the address at the same time:
              findmybike beacon advertise --rotating --key-file bike.key
            """
    )

    @Argument(help: ArgumentHelp("The identity to advertise.", valueName: "uuid:major:minor"))
    var identity: BeaconIdentity?

    @Flag(help: "Act as a rotating beacon with the key in --key-file.")
    var rotating = false

    @Option(help: ArgumentHelp("The file with a rotating beacon’s key; - for standard input.", valueName: "file"))
    var keyFile: String?

    @Option(
        help: ArgumentHelp(
            "For trials: the time between two changes, instead of 1,024 seconds. Do not check such a beacon.",
            valueName: "duration"))
    var slotDuration: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The measured power to send: the signal strength at 1 m, −127…−1.", valueName: "dBm"))
    var measuredPower: Int8 = -59

    @Option(help: ArgumentHelp("The adapter; by default the first.", valueName: "hci0"))
    var adapter: String?

    @Option(help: ArgumentHelp("Stop after this time: 90s, 10m, 2h.", valueName: "duration"))
    var duration: DurationArgument?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if rotating {
            guard identity == nil, keyFile != nil else {
                throw ValidationError("--rotating needs --key-file and no identity: the key determines what is sent.")
            }
        } else {
            guard identity != nil else {
                throw ValidationError("Give the identity to advertise, or --rotating and --key-file.")
            }
            guard keyFile == nil, slotDuration == nil else {
                throw ValidationError("--key-file and --slot-duration need --rotating, and no identity.")
            }
        }
        guard !rotating || measuredPower == RotatingBeaconKey.measuredPower else {
            throw ValidationError("Leave out --measured-power: all rotating beacons send −59 dBm.")
        }
        guard (-127 ... -1).contains(measuredPower) else {
            throw ValidationError("--measured-power must be −127…−1 dBm: no beacon is as strong as 0 dBm at 1 m.")
        }
    }

    func run() async throws {
        let key = try keyFile.map { try BeaconKeyFile(path: $0).read() }
        let connection = try await DBusConnection.open()
        let adapter = try await Radio.adapter(adapter, of: BlueZDaemon(connection))
        let advertiser = BlueZAdvertiser(adapter: adapter.name, connection: connection)
        let last = try await untilInterrupted { [self] in
            if let key { return try await rotate(key, with: advertiser) }
            guard let identity else { return nil as BeaconIdentity? }
            let advertisement = try await start(identity, measuredPower, with: advertiser)
            try await Self.hold(advertisement, for: duration?.duration)
            try await Self.stop(advertisement)
            return identity
        }
        try output.show(["ended": last.map { "\($0)" } ?? ""], "The beacon has stopped.")
    }

    /// Advertises slot after slot.
    ///
    /// - Returns: the last identity; nil if it was stopped before the first.
    private func rotate(_ key: RotatingBeaconKey, with advertiser: BlueZAdvertiser) async throws -> BeaconIdentity? {
        guard let pace = SlotPace(trial: slotDuration?.duration) else {
            throw CommandFailure(.configuration, "this computer’s clock is wrong: set it, and try again")
        }
        let end = duration.map { ContinuousClock.now + $0.duration }
        var slot = pace.slot(at: Date())
        var last: BeaconIdentity?
        while !Task.isCancelled {
            let beacon = key.frame(at: slot)
            let advertisement: BlueZAdvertisement
            do {
                advertisement = try await start(beacon.identity, beacon.measuredPower, with: advertiser)
            } catch {
                // The end of the program's connection also ends an advertisement that has just begun.
                if Task.isCancelled { return last }
                throw error
            }
            last = beacon.identity
            // A slot that the clock repeats, because it was set back, lasts until the clock reaches it again.
            var next = slot
            while next == slot {
                var wait = pace.untilChange(at: Date())
                if let end { wait = min(wait, max(ContinuousClock.now.duration(to: end), .zero)) }
                try await Self.hold(advertisement, for: wait)
                let isOver = end.map { $0 <= .now } ?? false
                guard !Task.isCancelled, !isOver else {
                    try await Self.stop(advertisement)
                    return last
                }
                next = pace.slot(at: Date(), after: slot)
            }
            // Stop sending before the new identity and the new address begin: no frame may have only one of them.
            try await Self.stop(advertisement)
            slot = next
        }
        return last
    }

    /// Starts to advertise, and says so.
    ///
    /// - Parameter power: the signal strength at 1 m to send, in dBm.
    private func start(
        _ identity: BeaconIdentity, _ power: Int8, with advertiser: BlueZAdvertiser
    ) async throws -> BlueZAdvertisement {
        let advertisement = try await advertiser.advertise(IBeacon(identity: identity, measuredPower: power))
        try output.show(
            ["advertising": "\(identity)", "adapter": advertiser.adapter],
            "\(advertiser.adapter) advertises \(identity) at \(power) dBm. Press Ctrl-C to stop.")
        return advertisement
    }

    /// Stops in a separate task, because this one may be cancelled.
    private static func stop(_ advertisement: BlueZAdvertisement) async throws {
        try await Task { try await advertisement.end() }.value
    }

    /// Advertises for some time, without end if it is nil, or until this task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` if bluetoothd ends the advertisement.
    private static func hold(_ advertisement: BlueZAdvertisement, for duration: Duration?) async throws {
        let reason: String? = await withTaskGroup(of: String?.self) { group -> String? in
            group.addTask { await advertisement.released() }
            if let duration {
                group.addTask {
                    try? await Task.sleep(for: duration)
                    return nil
                }
            }
            let first: String? = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        if let reason { throw CommandFailure(.unavailable, reason) }
    }
}
