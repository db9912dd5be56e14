import ArgumentParser

/// `report close` and `bike found` are one command under two names.
struct ReportCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: BikeFoundCommand.configuration.abstract,
        discussion: "  findmybike report close brompton --outcome false-alarm"
    )

    @OptionGroup var closing: ClosingOptions

    func run() async throws { try await closing.run() }
}
