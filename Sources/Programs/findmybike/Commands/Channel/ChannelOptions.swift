import ArgumentParser
import RegistryAPI

/// Options of every kind of channel.
struct ChannelOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Whether messages include the place. By default only webhooks and Web Push do."
    )
    var coordinates: Bool?

    @Option(
        help: ArgumentHelp("Send a sighting only if nobody has acknowledged it after this time.", valueName: "minutes"))
    var after: Int?

    func validate() throws {
        guard after.map(Channel.waits.contains) ?? true else {
            throw ValidationError("--after must be \(Channel.waits.lowerBound) to \(Channel.waits.upperBound) minutes")
        }
    }
}
