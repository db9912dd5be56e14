import ArgumentParser
import Beacons
import BlueZ
import CommandSupport
import DBus
import Foundation

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
        guard rotating ? identity == nil && keyFile != nil : identity != nil && keyFile == nil && slotDuration == nil
        else {
            throw ValidationError(
                rotating
                    ? "--rotating needs --key-file and no identity: the key determines what is sent."
                    : identity == nil
                        ? "Give the identity to advertise, or --rotating and --key-file."
                        : "--key-file and --slot-duration need --rotating, and no identity.")
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
            let advertisement = try await begin(identity, measuredPower, with: advertiser)
            if let reason = await ending(of: advertisement, after: duration?.duration) {
                throw CommandFailure(.unavailable, reason)
            }
            try await end(advertisement)
            return identity
        }
        try output.show(["ended": last.map { "\($0)" } ?? ""], "The beacon has stopped.")
    }

    /// Advertises slot after slot. Returns the last identity.
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
                advertisement = try await begin(beacon.identity, beacon.measuredPower, with: advertiser)
            } catch {
                // The end of the program's connection also ends an advertisement that has just begun.
                if Task.isCancelled { return last }
                throw error
            }
            last = beacon.identity
            // A slot that the clock repeats, because it was set back, lasts until the clock reaches it again.
            var next = slot
            while next == slot {
                let rest = end.map { ContinuousClock.now.duration(to: $0) }
                let change = pace.untilChange(at: Date())
                if let reason = await ending(of: advertisement, after: min(change, max(rest ?? change, .zero))) {
                    throw CommandFailure(.unavailable, reason)
                }
                guard !Task.isCancelled, end.map({ $0 > .now }) ?? true else {
                    try await self.end(advertisement)
                    return last
                }
                next = pace.slot(at: Date(), after: slot)
            }
            // Stop sending before the new identity and the new address begin: no frame may have only one of them.
            try await self.end(advertisement)
            slot = next
        }
        return last
    }

    private func begin(
        _ identity: BeaconIdentity, _ power: Int8, with advertiser: BlueZAdvertiser
    ) async throws -> BlueZAdvertisement {
        let advertisement = try await advertiser.advertise(IBeacon(identity: identity, measuredPower: power))
        try output.show(
            ["advertising": "\(identity)", "adapter": advertiser.adapter],
            "\(advertiser.adapter) advertises \(identity) at \(power) dBm. Press Ctrl-C to stop.")
        return advertisement
    }

    /// Ends in a separate task, because this one may be cancelled.
    private func end(_ advertisement: BlueZAdvertisement) async throws {
        try await Task { try await advertisement.end() }.value
    }

    /// Waits for the end. Returns its reason, or nil if it was intended.
    private func ending(of advertisement: BlueZAdvertisement, after duration: Duration?) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask { await advertisement.released() }
            if let duration {
                group.addTask {
                    try? await Task.sleep(for: duration)
                    return nil
                }
            }
            let reason = await group.next() ?? nil
            group.cancelAll()
            return reason
        }
    }
}
