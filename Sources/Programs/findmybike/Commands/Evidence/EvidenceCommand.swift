import ArgumentParser

struct EvidenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evidence",
        abstract: "Signed evidence of a theft, for the police.",
        subcommands: [EvidenceDownloadCommand.self, EvidenceVerifyCommand.self, EvidenceKeysCommand.self]
    )
}
