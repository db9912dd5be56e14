import ArgumentParser
import Foundation
import RegistryAPI
import RegistryClient

struct StationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "station",
        abstract: "The places where monitors listen.",
        subcommands: [
            StationListCommand.self, StationShowCommand.self, Enrol.self, StationMoveCommand.self,
            StationRevokeCommand.self,
        ]
    )

    struct Enrol: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enrol a station and keep its token for the monitor.",
            discussion: """
                An operator enrols with the operator’s token:
                  findmybike station enrol --name "Café Sprocket" --latitude 51.5007 --longitude -0.1246 --output token
                """
        )

        @Option(help: "What owners read in alerts, 1–64 characters.")
        var name: String

        @Option(
            help: "Whose premises these are; the name if absent. Stations of one venue do not corroborate each other.")
        var venue: String?

        @Flag(help: "The station goes about and says itself where it is.")
        var mobile = false

        @Option(parsing: .unconditional, help: ArgumentHelp("Degrees north.", valueName: "degrees"))
        var latitude: Double

        @Option(parsing: .unconditional, help: ArgumentHelp("Degrees east.", valueName: "degrees"))
        var longitude: Double

        @Option(help: ArgumentHelp("How exactly the place is known.", valueName: "metres"))
        var accuracy: Double?

        @Option(name: .shortAndLong, help: ArgumentHelp("File for the station’s token.", valueName: "path"))
        var output: String

        @OptionGroup var options: RegistryOptions
        @OptionGroup var format: OutputOptions

        func run() async throws {
            let file = TokenFile(path: output)
            try file.checkVacant()
            let registry = try options.connect()
            let place = Place(latitude: latitude, longitude: longitude, accuracy: accuracy)
            let key = UUID().uuidString
            let draft = InvitationDraft(name: name, venue: venue, mobile: mobile ? true : nil, place: place)
            let invitation = try await patiently { try await registry.invite(draft, idempotencyKey: key) }
            let attempt = UUID().uuidString
            let enrolled = try await patiently {
                try await registry.enrol(code: invitation.code, idempotencyKey: attempt)
            }
            try file.create(enrolled.token)
            if format.json { return try Output.json(enrolled.station) }
            Output.line("Station \(enrolled.station.id) (\(name)) enrolled. Its token is in \(file.path).")
        }
    }
}
