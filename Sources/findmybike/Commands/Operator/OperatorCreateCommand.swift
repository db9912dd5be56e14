import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OperatorCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make another operator.",
        discussion: "  findmybike operator create Ada --output ada.token"
    )

    @Argument(help: "Who it is, 1–64 characters.")
    var name: String

    @Option(name: .shortAndLong, help: ArgumentHelp("File for the operator’s token.", valueName: "path"))
    var output: String

    @OptionGroup var options: RegistryOptions
    @OptionGroup var format: OutputOptions

    func run() async throws {
        let file = TokenFile(path: output)
        try file.checkWritable()
        let created = try await options.connect().createOperator(OperatorDraft(name: name))
        try file.create(created.token)
        try format.show(
            created.details, "Operator \(created.details.id) (\(name)) can log in with the token in \(file.path).")
    }
}
