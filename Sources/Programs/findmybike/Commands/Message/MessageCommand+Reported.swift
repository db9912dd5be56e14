import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Syntax

extension MessageCommand {
    struct Reported: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the conversations that were reported, with the operator’s token.",
            discussion: """
                ‘findmybike owner suspend’ stops an owner; ‘findmybike message settle’ takes a conversation off this list.
                  findmybike message reported
                """)

        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let reported = try await registry.allReportedConversations()
            if options.json { return try reported.forEach { try Output.json($0) } }
            guard !reported.isEmpty else { return Output.line("No conversation is reported.") }
            for item in reported {
                Output.line("Reported by the \(item.reporter); owner \(item.owner), bike \(item.bike)")
                if let reason = item.reason {
                    Output.line("Reason: " + reason.split(at: "\n").joined(separator: " "))
                }
                for line in item.conversation.lines(owner: "Owner") { Output.line(line) }
                Output.line()
            }
        }
    }

    struct Settle: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a conversation off the list of reported ones, with the operator’s token.",
            discussion: "  findmybike message settle 019aa4e1")

        @Argument(help: "The beginning of the conversation’s identifier: ‘findmybike message reported’ shows it.")
        var conversation: String

        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let found = try Choice(
                noun: "conversation", list: "findmybike message reported", id: { "\($0.conversation.id)" }
            ) {
                ["begun \($0.conversation.began.local)"]
            }
            .pick(conversation, among: try await registry.allReportedConversations())
            try await registry.settleConversation(found.conversation.id)
            try options.show(["settled": "\(found.conversation.id)"], "The conversation is settled.")
        }
    }
}

extension ReportedConversation {
    /// Who reported it; somebody who checked a number is a buyer.
    fileprivate var reporter: String {
        reportedBy == .finder && conversation.origin == .number ? "buyer" : reportedBy.rawValue
    }
}

extension RegistryConnection {
    fileprivate func allReportedConversations() async throws -> [ReportedConversation] {
        try await RegistryConnection.all { try await self.reportedConversations(after: $0) }
    }
}
