import ArgumentParser

struct OperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "Who runs the registry, with an operator’s token.",
        subcommands: [OperatorListCommand.self, OperatorCreateCommand.self, OperatorRevokeCommand.self]
    )
}
