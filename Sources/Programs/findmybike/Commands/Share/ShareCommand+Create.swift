import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

extension ShareCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a link to the search for a missing bike.",
            discussion: """
                Anyone who has the link sees what the bike looks like and where stations hear it, and nothing else of you. It \
                works for 7 days unless you say otherwise, and ends earlier if you revoke it, close the report, or revoke the \
                token with which you made it.
                  findmybike share create brompton --label "Police" --ends "in 3 days"
                """
        )

        @OptionGroup var argument: BikeArgument

        @Option(help: ArgumentHelp("For whom it is, 1–64 characters; only you see it.", valueName: "text"))
        var label: String?

        @Option(help: ArgumentHelp("When it stops working, in 1 hour to 30 days.", valueName: "time"))
        var ends: Timestamp?

        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.findMissing(at: registry)
            let created = try await registry.createShare(ShareDraft(label: label, ends: ends), on: bike.id)
            Output.secretFollows(
                ifLost: "A link was made that works until \(created.details.ends.local), but it was not printed, so "
                    + "nobody has it. End it with ‘findmybike share revoke \(created.details.id) \(bike.id)’, and make "
                    + "another.")
            guard !options.json else { return try Output.json(created) }
            Output.line(created.link)
            Output.line(
                "Until \(created.details.ends.local), anyone who has this link can follow the search for \(bike.make) "
                    + "\(bike.model). It is shown only now.")
        }
    }
}
