import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Syntax
import Terminal

struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message",
        abstract: "Messages from finders and buyers.",
        subcommands: [
            List.self, Show.self, Answer.self, Close.self, Block.self, Report.self, Reported.self, Settle.self,
        ]
    )
}

extension MessageCommand {
    struct List: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a bike’s conversations with finders and buyers.",
            discussion: """
                Those that you have answered come first, then the first from each network, and so on: many messages from one \
                place do not hide another.
                  findmybike message list brompton
                """)

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let bike = try await argument.findMissing(at: registry)
            let conversations = try await registry.allConversations(of: bike)
            if options.json { return try conversations.forEach { try Output.json($0) } }
            guard !conversations.isEmpty else {
                return Output.line("Nobody has written about \(bike.make) \(bike.model).")
            }
            let short = ShortIdentifiers(conversations.map { "\($0.id)" })
            Output.table(
                ["CONVERSATION", "SINCE", "BY", "MESSAGES", "STATE", "LATEST"],
                cells: conversations.map { Self.row($0, short) })
        }

        private static func row(_ conversation: Conversation, _ short: ShortIdentifiers) -> [Table.Cell] {
            let latest = conversation.messages.last?.text.split(at: "\n").joined(separator: " ") ?? ""
            let texts = [
                short.text("\(conversation.id)"), conversation.began.local,
                conversation.origin == .number ? "buyer" : conversation.origin.rawValue, "\(conversation.count)",
            ]
            return texts.map { Table.Cell($0) }
                + [conversation.state, Table.Cell(latest.count > 40 ? latest.prefix(39) + "…" : latest)]
        }
    }

    struct Show: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a conversation with a finder or a buyer.",
            discussion: "  findmybike message show brompton --conversation 019aa4e1")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var conversation: ConversationArgument
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let bike = try await argument.findMissing(at: registry)
            let found = try await conversation.find(on: bike, at: registry)
            let full = try await registry.conversation(found.id, of: bike.id)
            try options.output.show(full, lines: full.lines(owner: "You"))
        }
    }

    struct Answer: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer a finder or a buyer.",
            discussion: """
                Nobody learns your name or address unless you write them. With several \
                conversations, name one:
                  findmybike message answer "Thank you! I am on my way." brompton --conversation 019aa4e1
                """)

        @Argument(help: "The answer, at most 500 characters.")
        var text: String

        @OptionGroup var argument: BikeArgument
        @OptionGroup var conversation: ConversationArgument
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let bike = try await argument.findMissing(at: registry)
            let found = try await conversation.find(on: bike, at: registry)
            let answered = try await registry.answer(MessageDraft(text: text), in: found.id, of: bike.id)
            try options.show(answered, "The answer was sent.")
        }
    }
}

extension Conversation {
    /// The state of the conversation, in a word.
    fileprivate var state: Table.Cell {
        if reported != nil { return Table.Cell("reported") }
        if blocked { return Table.Cell("blocked") }
        if closed != nil { return Table.Cell("ended") }
        return waiting ? Table.Cell("waiting", .warning) : Table.Cell("answered")
    }
}

extension MessageCommand {
    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a conversation, so that nobody can write in it.",
            discussion: """
                It stays readable for 30 days.
                  findmybike message close brompton --conversation 019aa4e1
                """)

        @OptionGroup var argument: BikeArgument
        @OptionGroup var conversation: ConversationArgument
        @OptionGroup var options: CallOptions

        func run() async throws {
            try await MessageCommand.end(
                argument, conversation, ConversationClosure(), options, "The conversation has ended.")
        }
    }

    struct Block: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a conversation, and block the person in it for today.",
            discussion: """
                If this person has written today, your other conversations about this bike with the same network, such as \
                the same Wi-Fi, end too, and nothing more reaches you from there until midnight UTC. If the last message is \
                older, only this conversation ends. The person sees that it has ended, but not that new messages do not \
                reach you.
                  findmybike message block brompton --conversation 019aa4e1
                """)

        @OptionGroup var argument: BikeArgument
        @OptionGroup var conversation: ConversationArgument
        @OptionGroup var options: CallOptions

        func run() async throws {
            try await MessageCommand.end(
                argument, conversation, ConversationClosure(blocked: true), options, "This person is blocked.")
        }
    }

    struct Report: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a conversation, block the person in it, and report it to the registry’s operator.",
            discussion: """
                The operator can then read the conversation, until it is settled or 30 days after its end. You can report \
                a conversation that the other person has ended, too.
                  findmybike message report "Wants money for my own bike" brompton
                """)

        @Argument(help: "What the operator should know, at most 500 characters.")
        var reason: String

        @OptionGroup var argument: BikeArgument
        @OptionGroup var conversation: ConversationArgument
        @OptionGroup var options: CallOptions

        func run() async throws {
            try await MessageCommand.end(
                argument, conversation, ConversationClosure(blocked: true, report: reason), options,
                "The conversation is reported, and this person is blocked.")
        }
    }

    /// Ends a conversation.
    ///
    /// - Parameter text: what has happened, for a person.
    fileprivate static func end(
        _ argument: BikeArgument, _ conversation: ConversationArgument, _ closure: ConversationClosure,
        _ options: CallOptions, _ text: String
    ) async throws {
        let registry = try options.connect()
        let bike = try await argument.findMissing(at: registry)
        let found = try await conversation.find(on: bike, at: registry)
        try options.show(try await registry.closeConversation(found.id, of: bike.id, closure), text)
    }
}

extension MessageCommand {
    struct Reported: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the conversations that were reported, with the operator’s token.",
            discussion: """
                ‘findmybike owner suspend’ stops an owner; ‘findmybike message settle’ takes a conversation off this list.
                  findmybike message reported
                """)

        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
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

    struct Settle: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a conversation off the list of reported ones, with the operator’s token.",
            discussion: "  findmybike message settle 019aa4e1")

        @Argument(help: "The beginning of the conversation’s identifier: ‘findmybike message reported’ shows it.")
        var conversation: String

        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
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
    /// The side that reported it; a person who checked a number is called a buyer.
    fileprivate var reporter: String {
        reportedBy == .finder && conversation.origin == .number ? "buyer" : reportedBy.rawValue
    }
}

extension RegistryConnection {
    fileprivate func allReportedConversations() async throws -> [ReportedConversation] {
        try await RegistryConnection.all { try await self.reportedConversations(after: $0) }
    }
}
