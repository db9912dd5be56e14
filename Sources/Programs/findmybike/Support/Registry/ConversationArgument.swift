import ArgumentParser
import Foundation
import RegistryAPI
import RegistryClient
import Syntax

/// The conversation that a command is about: one of a bike's with finders and buyers.
struct ConversationArgument: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The beginning of the conversation’s identifier: ‘findmybike message list’ shows it. Not needed if there is "
                + "only one.", valueName: "id"))
    var conversation: String?

    /// The conversation that the option names; the only one without it.
    ///
    /// - Throws: ``CommandFailure`` if no conversation has the name, or several have it.
    func find(on bike: Bike, at registry: RegistryConnection) async throws -> Conversation {
        try Choice(noun: "conversation", list: "findmybike message list", id: { "\($0.id)" }) {
            ["begun \($0.began.local)"]
        }
        .pick(conversation, among: try await registry.allConversations(of: bike), option: "--conversation")
    }
}

extension RegistryConnection {
    /// All conversations about a bike, in the registry's order.
    func allConversations(of bike: Bike) async throws -> [Conversation] {
        try await RegistryConnection.all { try await self.conversations(of: bike.id, after: $0) }
    }
}

extension Conversation {
    /// Who writes to the owner.
    private var writer: String { origin == .number ? "buyer" : "finder" }

    /// The conversation as lines for a person.
    ///
    /// - Parameter owner: the name for the bike's owner in the text.
    func lines(owner: String) -> [String] {
        var text = ["\(id)  \(stateText)"]
        if origin == .number { text.append("Begun by somebody who checked the bike’s number before buying.") }
        for message in messages {
            let sender = message.from == .finder ? writer.capitalized : owner
            text += ["", "\(sender), \(message.time.local):"]
            text += message.text.split(at: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
        }
        return text
    }

    /// The state of the conversation, in a few words.
    private var stateText: String {
        if let closed { return "ended \(closed.local)" + (blocked ? ", \(writer) blocked" : "") }
        return waiting ? "the \(writer) is waiting for an answer" : "open"
    }
}
