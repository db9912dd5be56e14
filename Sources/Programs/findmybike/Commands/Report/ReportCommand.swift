import ArgumentParser

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "A bike’s missing reports. ‘findmybike bike missing’ opens one.",
        subcommands: [
            ReportListCommand.self, ReportEditCommand.self, ReportCloseCommand.self, ReportConfirmCommand.self,
            ReportReferencesCommand.self, ReportSignsCommand.self,
        ]
    )
}
