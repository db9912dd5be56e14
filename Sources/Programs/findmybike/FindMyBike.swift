import ArgumentParser
import CommandSupport
import Settings
import Terminal

/// The command line of owners, venue staff and operators.
struct FindMyBike: AsyncParsableCommand, ConfiguredProgram {
    static let settings = CommandSettings.all

    static let configuration = CommandConfiguration(
        commandName: "findmybike",
        abstract: "Find missing bikes by their beacons.",
        discussion: """
            An owner’s first steps:
              findmybike login https://registry.example.org
              findmybike bike register --kind bicycle --make Brompton --model "C Line" --colour green
              findmybike channel add webhook https://example.org/hook
              findmybike bike missing

            Settings come from arguments, the environment (FINDMYBIKE_…) and ~/.config/findmybike/config.yaml.
            """,
        version: ProductVersion.current,
        subcommands: [
            LoginCommand.self, LogoutCommand.self, StatusCommand.self, OwnerCommand.self,
            SessionCommand.self, PasskeyCommand.self, BikeCommand.self, MemberCommand.self, JoinCommand.self,
            ReportCommand.self, ShareCommand.self, MessageCommand.self, StickerCommand.self, BikeSightingsCommand.self,
            SightingCommand.self,
            ChannelCommand.self, FoundCommand.self, StationCommand.self, OperatorCommand.self, PartnerCommand.self,
            ScanCommand.self,
            FindCommand.self, ReceiversCommand.self, ClaimCommand.self,
            BeaconCommand.self, DoctorCommand.self, EvidenceCommand.self, AuditCommand.self,
            SettingsCommand<FindMyBike>.self,
            CompletionCommand.self,
            VenueCommand.self,
            SimulateCommand.self,
            PlanCommand.self,
        ]
    )

    /// What people type instead of a command, and the command that is suggested to them.
    static let meanings = [
        "missing": "findmybike bike missing", "lost": "findmybike bike missing", "stolen": "findmybike bike missing",
        "bike lost": "findmybike bike missing", "found": "findmybike bike found",
        "register": "findmybike bike register", "add": "findmybike bike register",
        "bike add": "findmybike bike register", "bike create": "findmybike bike register",
        "bike delete": "findmybike bike erase", "bike remove": "findmybike bike erase",
        "channel delete": "findmybike channel remove", "channel edit": "findmybike channel change",
    ]

    static let valueAdvice: [ValueAdvice] = [
        ValueAdvice("there is no such day") { $0.isDay },
        ValueAdvice("write a future date, as in 2027-06-30, or \"in 30 days\" in quotes") { $0.isFor("--hold-until") },
        ValueAdvice("expected a time such as \(TimeInput.comingForms)") { $0.isFor("--ends") },
        ValueAdvice("repeat the option for each colour, as in --colour red --colour black") {
            $0.isFor("--colour") && $0.isList
        },
        ValueAdvice("write it as in \(TimeInput.forms)") { $0.isNamed("time") && $0.isQuoted },
        ValueAdvice("write it in quotes, as in \(TimeInput.forms)") { $0.isNamed("time") },
        ValueAdvice("write it as in 2027-06-30") { $0.isNamed("date") },
        ValueAdvice("write it as in 22:00-07:00") { $0.isNamed("from-to") },
        ValueAdvice("write it with a point, as in 51.5007") { $0.isNamed("degrees") },
        ValueAdvice("write it with its unit, as in 500ms or 1s") { $0.isNamed("interval") },
    ]

    static func failure(for error: any Error) -> CommandFailure? { CommandFailure(error) }
}
