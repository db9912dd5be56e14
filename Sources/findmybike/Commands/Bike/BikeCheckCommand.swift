import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct BikeCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the number of a bike before you buy it.",
        discussion: """
            Asks whether a bike with this serial number or VIN is reported as missing. No account is needed.
              findmybike bike check WTU123C0456K
            """
    )

    @Argument(help: "The serial number, frame number or VIN, as it is on the bike.")
    var number: String

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.registry.connectWithoutToken()
        let answer = try await registry.check(NumberCheckDraft(number: number))
        if options.json { return try Output.json(answer) }
        guard answer.missing else {
            Output.line("No missing bike here has this number. This proves nothing: most bikes are in no register, and")
            Output.line("many owners let nobody check their numbers. Ask for the proof of purchase, compare the number on")
            return Output.line("the bike, and check other registers, too.")
        }
        Output.line("A bike with this number has been reported as missing here. Do not buy it, confront nobody, and tell")
        Output.line("the police. This does not prove that the bike is stolen: two bikes can have the same number.")
        Output.line("To leave word for the owner, open the page /check of the registry.")
    }
}
