import ArgumentParser
import Beacons
import BlueZ
import CommandLines
import DBus
import Foundation

struct BeaconAdvertiseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advertise",
        abstract: "Make this machine an iBeacon until Ctrl-C.",
        discussion: """
            Receive it with another machine or another adapter: an adapter does not hear itself. Press Ctrl-C to stop.
              findmybike beacon advertise 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:20815
            """
    )

    @Argument(help: ArgumentHelp("What to advertise.", valueName: "uuid:major:minor"))
    var identity: BeaconIdentity

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
        guard (-127 ... -1).contains(measuredPower) else {
            throw ValidationError("--measured-power must be −127…−1 dBm: no beacon is as strong as 0 dBm at 1 m.")
        }
    }

    func run() async throws {
        let connection = try await DBusConnection.open()
        let adapter = try await Radio.adapter(adapter, of: BlueZDaemon(connection))
        let advertiser = BlueZAdvertiser(adapter: adapter.name, connection: connection)
        try await untilInterrupted { [self] in
            let advertisement = try await advertiser.advertise(
                IBeacon(identity: identity, measuredPower: measuredPower))
            try output.show(
                ["advertising": "\(identity)", "adapter": adapter.name],
                "\(adapter.name) advertises \(identity) at \(measuredPower) dBm. Press Ctrl-C to stop.")
            if let reason = await ending(of: advertisement) { throw CommandFailure(.unavailable, reason) }
            // In a separate task, because this one may be cancelled.
            try await Task { try await advertisement.end() }.value
        }
        try output.show(["ended": "\(identity)"], "The beacon has stopped.")
    }

    /// Waits for the end. Returns its reason, or nil if it was intended.
    private func ending(of advertisement: BlueZAdvertisement) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask { await advertisement.released() }
            if let duration {
                group.addTask {
                    try? await Task.sleep(for: duration.duration)
                    return nil
                }
            }
            let reason = await group.next() ?? nil
            group.cancelAll()
            return reason
        }
    }
}
