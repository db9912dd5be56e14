import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OwnerQuotaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quota",
        abstract: "Set one owner’s quotas, with the operator’s token.",
        discussion: """
            Quotas that you leave out follow the registry’s settings again.
              findmybike owner quota 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 --bikes 200 --open-reports 20
            """
    )

    @OptionGroup var owner: ReviewedOwner

    @Option(help: ArgumentHelp("Bikes.", valueName: "count"))
    var bikes: Int?

    @Option(help: ArgumentHelp("Channels.", valueName: "count"))
    var channels: Int?

    @Option(help: ArgumentHelp("Tokens.", valueName: "count"))
    var tokens: Int?

    @Option(help: ArgumentHelp("Open missing reports.", valueName: "count"))
    var openReports: Int?

    @Option(help: ArgumentHelp("Photos.", valueName: "count"))
    var photos: Int?

    func run() async throws {
        let registry = try owner.options.connect()
        let exceptions = QuotaExceptions(
            bikes: bikes, channels: channels, tokens: tokens, openReports: openReports, photos: photos)
        let id = try await owner.find(at: registry)
        try owner.show(try await registry.setQuotas(of: id, exceptions))
    }
}
