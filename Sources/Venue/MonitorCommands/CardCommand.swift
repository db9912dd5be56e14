import ArgumentParser
import CommandSupport
import Foundation
import MonitorConfiguration
import OperatingSystem
import RegistryAPI
import RegistryClient
import Settings
import Syntax

/// `findmybike-monitor card`: applies the settings in the file on a flashed card. The services of the package
/// `findmybike-card` run it.
struct CardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card",
        abstract: "Set up a machine from the file findmybike.txt on its card.",
        subcommands: [ApplyCommand.self, CardEnrolCommand.self]
    )
}

/// The path of the card's boot partition.
struct CardOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder of the card’s boot partition.", valueName: "path"))
    var folder = "/boot/firmware"

    /// Runs a step, and says on the card why it failed.
    func reportingFailures(_ step: (Card) async throws -> Void) async throws {
        let card = Card(folder: folder)
        do {
            try await step(card)
        } catch let errors as CardErrors {
            try card.say(errors.lines)
            throw CommandFailure(.configuration, "findmybike.txt has errors: see findmybike-status.txt")
        } catch {
            let failure = CommandFailure(common: error) ?? CommandFailure(.software, "\(error)")
            try card.say(Self.words(failure))
            throw failure
        }
    }

    /// What the person who prepares the card should know.
    private static func words(_ failure: CommandFailure) -> [String] {
        let reason = failure.message.split(at: "\n").map(String.init)
        if failure.isTransient {
            return ["This machine is not a station yet:"] + reason + [
                "",
                "If this does not change, check the network cable, and “registry:”, “wifi:” and “wifi-password:” in",
                "findmybike.txt.",
            ]
        }
        if failure.status == .noPermission {
            return [
                "The code does not work: it is mistyped, used, or older than a day.",
                "Correct it in findmybike.txt, or ask the operator of the registry for a new one.",
            ]
        }
        return ["This machine could not be set up:"] + reason + [
            "", "If findmybike.txt is right, show this to the operator of the registry.",
        ]
    }
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
        try await options.reportingFailures { card in try await card.apply() }
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
        try await options.reportingFailures { card in try await enrol(card) }
    }

    /// Enrols with the code on the card, and removes it from there.
    private func enrol(_ card: Card) async throws {
        guard let invitation = try card.invitation() else { return try sayWithoutCode(card) }
        let station = try await enrol(invitation)
        // First the status, so that a power loss after each step leaves one.
        try card.say(Self.ready(station))
        try card.removeCode()
    }

    /// What the status file says about a station.
    private static func ready(_ station: Station) -> [String] {
        [
            "This machine is the station “\(station.name)” of \(station.venue).",
            "It is ready, and needs nothing more from you.",
        ]
    }

    /// Says what is missing if there is no code, unless the machine is a station.
    private func sayWithoutCode(_ card: Card) throws {
        let enrolment = try enrolment([:])
        // Earlier errors have been corrected.
        if let station = enrolment.current { return try card.say(Self.ready(station)) }
        guard !enrolment.token.exists else { return }
        if card.hasFile {
            try card.say([
                "There is no code in findmybike.txt. The operator of the registry gives you one.",
                "Write it after “code:”, put the card back and switch the machine on.",
            ])
        } else {
            try card.say([
                "There is no file findmybike.txt on this card.",
                "If there is a file findmybike.txt.txt, change its name to findmybike.txt.",
            ])
        }
    }

    /// The station of this machine. A code that was used before is recognised; another code replaces the station.
    private func enrol(_ invitation: Card.Invitation) async throws -> Station {
        let enrolment = try enrolment([
            MonitorSettings.registryURL.key: WebAddress.completed(invitation.registry)
        ])
        if let station = enrolment.earlier(code: invitation.code) { return station }
        try enrolment.check()
        let station = try await enrolment.perform(code: invitation.code)
        // The station now has a token, or a new one.
        let monitor = MonitorProgram.name + ".service"
        _ = try await ExternalProgram("systemctl", ["restart", "--no-block", monitor], timeout: .seconds(30)).run()
        return station
    }

    /// The enrolment of this machine, with settings that override those in the file.
    private func enrolment(_ arguments: [String: String]) throws -> Enrolment {
        try Enrolment(
            try ProgramSettings(toEnrolWith: settings, arguments: arguments), file: settings, replaces: true,
            namesTokenFile: false, automatic: "It tries again every 30 seconds")
    }
}
