import ArgumentParser

struct EvidenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evidence",
        abstract: "What the registry knows of a theft, signed, for the police.",
        subcommands: [EvidenceDownloadCommand.self, EvidenceVerifyCommand.self, EvidenceKeysCommand.self]
    )
}
