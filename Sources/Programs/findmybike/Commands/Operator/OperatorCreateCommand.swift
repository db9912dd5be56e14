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

    @Argument(help: "The operator’s name, 1–64 characters.")
    var name: String

    @OptionGroup var newFile: NewTokenFile
    @OptionGroup var options: CallOptions

    func run() async throws {
        let file = try newFile.checked()
        let created = try await options.connect().createOperator(OperatorDraft(name: name))
        try file.create(created.token)
        try options.show(
            created.details, "Operator \(created.details.id) (\(name)) can log in with the token in \(file.path).")
    }
}
