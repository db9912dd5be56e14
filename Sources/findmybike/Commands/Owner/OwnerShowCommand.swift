import ArgumentParser
import RegistryAPI
import RegistryClient

struct OwnerShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show your account.",
        discussion: "  findmybike owner show")

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        let owner = try await patiently { try await registry.owner() }
        try owner.show(output)
    }
}

struct OwnerEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change your account.",
        discussion: "  findmybike owner edit --hide-appearance"
    )

    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Whether to keep from stations what a missing bike looks like that they hear."
    )
    var hideAppearance: Bool

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        let owner = try await patiently { try await registry.change(OwnerPatch(tellsAppearance: !hideAppearance)) }
        try owner.show(output)
    }
}

extension Owner {
    fileprivate func show(_ output: OutputOptions) throws {
        if output.json { return try Output.json(self) }
        Output.line("Owner \(id), since \(created.local).")
        Output.line("\(recoveryCodes) recovery codes left.")
        Output.line(
            tellsAppearance
                ? "Stations that hear a missing bike are told what it looks like."
                : "Stations that hear a missing bike are not told what it looks like."
        )
    }
}
