import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

/// `findmybike bike check`: asks for a buyer whether a bike with this number is missing.
struct BikeCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the number of a bike before you buy it.",
        discussion: """
            Asks whether a bike with this serial number or VIN is reported as missing. You need no account: --registry
            says which registry to ask.
              findmybike bike check WTU123C0456K --registry https://registry.example.org
            """
    )

    @Argument(help: "The serial number, frame number or VIN, as it is on the bike.")
    var number: String

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.registry.connectWithoutToken()
        let answer = try await registry.check(NumberCheckDraft(number: number))
        if options.json { return try Output.json(answer) }
        for line in Self.lines(answer) { Output.line(line) }
    }

    /// The answer for a person.
    private static func lines(_ answer: NumberCheck) -> [String] {
        if answer.missing { return missing }
        let partners = partnerLines(answer)
        guard let similar = answer.similar else {
            let isElsewhere = answer.elsewhere?.contains { $0.similar != true } == true
            return isElsewhere ? partners + doubt : notMissing + partners
        }
        var lines = ["Perhaps: a bike with a similar number has been reported as missing here."]
        for other in similar {
            lines.append("\(other.number), which differs in:")
            for difference in other.differences {
                let (checked, reported) = (name(of: difference.checked), name(of: difference.reported))
                lines.append("  character \(difference.position): you entered \(checked), it has \(reported)")
            }
        }
        lines.append("Read the number on the bike again, and check the number that is there.")
        return lines + partners
    }

    /// What partner registries answered.
    private static func partnerLines(_ answer: NumberCheck) -> [String] {
        var lines = (answer.elsewhere ?? []).map { other in
            let number = other.similar == true ? "a similar number" : "this number"
            return "A bike with \(number) has been reported as missing at \(other.registry): open \(other.url)/check"
        }
        if let unasked = answer.unasked {
            lines.append("These registries could not be asked: \(unasked.joined(separator: ", ")).")
        }
        return lines
    }

    /// A character that is easily misread, with its kind: letter or digit.
    private static func name(of character: String) -> String {
        switch character {
        case "0": "0 (the digit zero)"
        case "1": "1 (the digit one)"
        default: "\(character) (the letter)"
        }
    }

    private static let doubt = [
        "Do not buy it, do not confront anyone, and tell the police.",
        "This does not prove that the bike is stolen: two bikes can have the same number.",
    ]

    private static let missing =
        ["A bike with this number has been reported as missing here."] + doubt + [
            "To write to the owner, open the page /check of the registry."
        ]

    private static let notMissing = [
        "No missing bike here has this number.",
        "This proves nothing: most bikes are in no register, and most owners do not allow this check.",
        "Ask for the proof of purchase, compare the number on the bike, and check other registers, too.",
    ]
}
