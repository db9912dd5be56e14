import ArgumentParser
import CommandLines
import Foundation
import RegistryAPI
import RegistryClient
import Syntax

struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message",
        abstract: "Messages from finders and buyers.",
        subcommands: [
            List.self, Show.self, Answer.self, Close.self, Block.self, Report.self, Reported.self, Settle.self,
        ]
    )
}

/// One of a bike's conversations with finders.
struct ConversationArgument: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The beginning of the conversation’s identifier: ‘findmybike message list’ shows it. Not needed if there is "
                + "only one.", valueName: "id"))
    var conversation: String?

    func find(on bike: Bike, at registry: RegistryConnection) async throws -> Conversation {
        try Choice(noun: "conversation", list: "findmybike message list", id: { "\($0.id)" }) {
            ["begun \($0.began.local)"]
        }
        .pick(conversation, among: try await registry.allConversations(of: bike), option: "--conversation")
    }
}

extension RegistryConnection {
    func allConversations(of bike: Bike) async throws -> [Conversation] {
        try await RegistryConnection.all { try await self.conversations(of: bike.id, after: $0) }
    }
}

extension Conversation {
    /// Who writes to the owner.
    private var writer: String { origin == .number ? "buyer" : "finder" }

    /// The conversation as lines for a person.
    ///
    /// - Parameter owner: what the bike's owner is called.
    func lines(owner: String) -> [String] {
        let writer = origin == .number ? "buyer" : "finder"
        let state =
            closed.map { "ended \($0.local)" + (blocked ? ", \(writer) blocked" : "") }
            ?? (waiting ? "the \(writer) is waiting for an answer" : "open")
        let origin = origin == .number ? ["Begun by somebody who checked the bike’s number before buying."] : []
        return ["\(id)  \(state)"] + origin
            + messages.flatMap { message in
                ["", "\(message.from == .finder ? writer.capitalized : owner), \(message.time.local):"]
                    + message.text.split(at: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
            }
    }
}
