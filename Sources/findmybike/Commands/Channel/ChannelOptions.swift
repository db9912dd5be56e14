import ArgumentParser
import RegistryAPI

/// What every kind of channel has.
struct ChannelOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Whether messages tell the place; unless told, only webhooks and Web Push do, which nobody else reads."
    )
    var coordinates: Bool?

    @Option(
        help: ArgumentHelp("Tell a sighting only if nobody acknowledged it that long after.", valueName: "minutes"))
    var after: Int?

    func validate() throws {
        guard after.map(Channel.waits.contains) ?? true else {
            throw ValidationError("--after must be \(Channel.waits.lowerBound) to \(Channel.waits.upperBound) minutes")
        }
    }
}
