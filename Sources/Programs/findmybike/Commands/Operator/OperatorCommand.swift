import ArgumentParser

struct OperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "Manage the registry’s operators, with an operator’s token.",
        subcommands: [
            OperatorOverviewCommand.self, OperatorSearchesCommand.self, OperatorListCommand.self,
            OperatorCreateCommand.self, OperatorRevokeCommand.self, OperatorSessionCommand.self,
            OperatorPasskeyCommand.self,
        ]
    )
}
