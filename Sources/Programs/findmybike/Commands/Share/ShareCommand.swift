import ArgumentParser

struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Links with which others can follow a search without an account.",
        subcommands: [Create.self, List.self, Revoke.self]
    )
}
