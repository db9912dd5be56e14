import ArgumentParser
import CommandLines
import Foundation
import RegistryAPI
import RegistryClient

struct StationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "station",
        abstract: "The places where monitors listen.",
        subcommands: [
            StationInviteCommand.self, StationListCommand.self, StationShowCommand.self, Enrol.self,
            StationCoverageCommand.self, StationMoveCommand.self, StationRevokeCommand.self,
            StationCancelCommand.self, StationDisplayCommand.self,
        ]
    )

    struct Enrol: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enrol a station and store its token in a file, for a machine that cannot enrol itself.",
            discussion: """
                With the operator’s token. Usually ‘findmybike station invite’ is easier.
                  findmybike station enrol --name "Café Sprocket" --latitude 51.5007 --longitude -0.1246 --output token
                """
        )

        @OptionGroup var place: InvitationOptions

        @OptionGroup var newFile: NewTokenFile
        @OptionGroup var options: CallOptions

        func run() async throws {
            let file = try newFile.checked()
            let registry = try options.connect()
            let invitation = try await place.invite(at: registry)
            let enrolled = try await registry.enrol(code: invitation.code)
            try file.create(enrolled.token)
            try options.show(
                enrolled.station,
                "Station \(enrolled.station.id) (\(place.name)) enrolled. Its token is in \(file.path).")
        }
    }
}
