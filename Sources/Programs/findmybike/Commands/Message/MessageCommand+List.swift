import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Syntax
import Terminal

extension MessageCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a bike’s conversations with finders and buyers.",
            discussion: """
                Those that you have answered come first, then the first from each network, and so on: many messages from one \
                place do not hide another.
                  findmybike message list brompton
                """)

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.findMissing(at: registry)
            let conversations = try await registry.allConversations(of: bike)
            let short = ShortIdentifiers(conversations.map { "\($0.id)" })
            try options.output.list(
                conversations, none: "Nobody has written about \(bike.make) \(bike.model).",
                ["CONVERSATION", "SINCE", "BY", "MESSAGES", "STATE", "LATEST"],
                tone: { $0 == "waiting" ? .warning : nil }
            ) { conversation in
                let latest = conversation.messages.last?.text.split(at: "\n").joined(separator: " ") ?? ""
                return [
                    short.text("\(conversation.id)"), conversation.began.local,
                    conversation.origin == .number ? "buyer" : conversation.origin.rawValue,
                    "\(conversation.count)", conversation.state, latest.count > 40 ? latest.prefix(39) + "…" : latest,
                ]
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a conversation with a finder or a buyer.",
            discussion: "  findmybike message show brompton --conversation 019aa4e1")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var conversation: ConversationArgument
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.findMissing(at: registry)
            let found = try await conversation.find(on: bike, at: registry)
            let full = try await registry.conversation(found.id, of: bike.id)
            try options.output.show(full, lines: full.lines(owner: "You"))
        }
    }

    struct Answer: AsyncParsableCommand {
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

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.findMissing(at: registry)
            let found = try await conversation.find(on: bike, at: registry)
            let answered = try await registry.answer(MessageDraft(text: text), in: found.id, of: bike.id)
            try options.show(answered, "The answer was sent.")
        }
    }
}

extension Conversation {
    /// What has become of it, in a word.
    fileprivate var state: String {
        if reported != nil { return "reported" }
        if blocked { return "blocked" }
        return closed != nil ? "ended" : waiting ? "waiting" : "answered"
    }
}
