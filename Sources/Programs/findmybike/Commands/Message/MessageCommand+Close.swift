import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

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
