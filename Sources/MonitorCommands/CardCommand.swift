import ArgumentParser
import CardSetup
import CommandLines
import ExternalPrograms
import Files
import Foundation
import MonitorConfiguration
import RegistryAPI
import RegistryClient
import Settings

/// `findmybike-monitor card`: does what the file on a flashed card says. The services of the package `findmybike-card` run it.
struct CardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card",
        abstract: "Set up a machine from the file findmybike.txt on its card.",
        subcommands: [ApplyCommand.self, CardEnrolCommand.self]
    )
}

/// The place of the card's boot partition.
struct CardOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder of the card’s boot partition.", valueName: "path"))
    var folder = "/boot/firmware"

    var card: Card { Card(folder: folder) }
}

/// Applies what needs no network: the machine's name, its time zone, and the Wi-Fi.
private struct ApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Apply name, time zone and Wi-Fi, and remove the Wi-Fi’s password from the file.",
        discussion: """
            The service of the package ‘findmybike-card’ runs it at each start.
              sudo findmybike-monitor card apply
            """)

    @OptionGroup var options: CardOptions

    func run() async throws {
        guard try await options.card.apply() else {
            throw CommandFailure(
                .configuration, "findmybike.txt has errors: findmybike-status.txt beside it says which")
        }
    }
}

/// Enrols the machine with the code in the file.
private struct CardEnrolCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol",
        abstract: "Enrol this machine with the code in the file, and say in findmybike-status.txt what became of it.",
        discussion: """
            The service of the package ‘findmybike-card’ runs it until it succeeds.
              sudo findmybike-monitor card enrol
            """)

    @OptionGroup var options: CardOptions

    @Option(help: ArgumentHelp("The monitor’s settings file, which it writes.", valueName: "path"))
    var settings = EnrolCommand.standardSettings

    func run() async throws {
        let card = options.card
        guard let invitation = try card.invitation() else { return try sayWithoutCode(card) }
        do {
            let station = try await enrol(invitation)
            try card.removeCode()
            try card.say([
                "This machine is the station “\(station.name)” of \(station.venue).",
                "It is ready, and needs nothing more from you.",
            ])
            // It has a token now, or another one.
            let monitor = MonitorProgram.name + ".service"
            _ = try await ExternalProgram("systemctl", ["restart", "--no-block", monitor], timeout: .seconds(30)).run()
        } catch let failure as CommandFailure {
            try card.say(Self.words(failure))
            throw failure
        }
    }

    private func sayWithoutCode(_ card: Card) throws {
        guard !SecretFile(path: try reading([:]).value(MonitorSettings.tokenFile)).exists else { return }
        try card.say([
            "There is no code in findmybike.txt. The operator of the registry gives you one.",
            "Write it after “code:”, put the card back and switch the machine on.",
        ])
    }

    /// The station of this machine. A code that was used before is recognised; another code replaces the station.
    private func enrol(_ invitation: Card.Invitation) async throws -> Station {
        let read = try reading([MonitorSettings.registryURL.key: WebAddress.completed(invitation.registry)])
        let earlier = try Enrolment(read, file: settings, replaces: false, namesTokenFile: false)
        if let station = earlier.earlier(code: invitation.code) { return station }
        let enrolment = try Enrolment(
            read, file: settings, replaces: true, namesTokenFile: false, remedy: "It tries again every half a minute")
        try enrolment.check()
        return try await enrolment.perform(code: invitation.code)
    }

    private func reading(_ arguments: [String: String]) throws(SettingsError) -> ProgramSettings {
        try ProgramSettings(
            known: MonitorSettings.all, file: FileManager.default.fileExists(atPath: settings) ? settings : nil,
            arguments: arguments, environment: ProcessInfo.processInfo.environment)
    }

    private static func words(_ failure: CommandFailure) -> [String] {
        let reason = failure.message.split(separator: "\n").map(String.init)
        guard failure.isTransient else {
            return ["This machine could not become a station:"] + reason
                + ["", "Correct findmybike.txt, put the card back and switch the machine on."]
        }
        return ["This machine is not a station yet:"] + reason + [
            "", "If this does not change, check the network cable, or “wifi:” and “wifi-password:” in findmybike.txt.",
        ]
    }
}
