import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls for the channels that receive an owner's alerts.
struct ChannelCalls {
    let operations: RegistryOperations
    let store: any RegistryStore

    /// The limit of a channel's body in bytes: an address of 2,048 characters, each escaped, and keys.
    private static let channelLimit = 32 << 10

    func add(to calls: Calls<OwnerContext>) {
        calls.post(
            "/v1/channels", .manage, "Add a channel for alerts",
            """
            `url` is a webhook’s URL, an ntfy topic’s URL, a push subscription’s endpoint, an e-mail address or a \
            device’s token. An e-mail address first gets a message that asks for its verification, and nothing else.
            """
        )
        .taking(Example.channelDraft, upTo: Self.channelLimit).once
        .refusing(.tooManyMessages(retryAfter: .seconds(600)), .quotaReached(.channels, most: 10))
        .daily(.addresses)
        .creating(
            Example.channelCreated, "The channel; a webhook’s secret is shown only once.", id: \.channel.id
        ) { request in
            try await operations.createChannel(request.body, of: request.owner, once: request.once)
        }

        calls.get("/v1/channels", .read, "List my channels")
            .listing(Example.channel, "A page of channels.") { try await store.channels(of: $0.owner, $1) }

        calls.get("/v1/channels/:channel", .read, "Show a channel")
            .showing(Example.channel, "The channel.") { try await requestedChannel($0) }

        calls.put(
            "/v1/channels/:channel", .manage, "Change a channel",
            "If the URL does not change, an access token or keys that are not sent stay."
        )
        .taking(Example.channelDraft, upTo: Self.channelLimit).conditional("channel").guarded
        .refusing(.tooManyMessages(retryAfter: .seconds(600))).daily(.addresses, .channelChanges)
        .showing(Example.channel, "The channel as it is now.") { request in
            let channel = try request.unchanged(await requestedChannel(request))
            return try await operations.changeChannel(channel, request.body, by: request.act(operations))
        }

        calls.delete("/v1/channels/:channel", .manage, "Remove a channel", "All channels get a message, this one too.")
            .conditional("channel").guarded
            .done("The channel was removed.") { request in
                let channel = try request.unchanged(await requestedChannel(request))
                try await operations.store.removeChannel(channel, by: request.act(operations))
            }

        // A repeated call sends another message, which is its purpose.
        calls.post("/v1/channels/:channel/test", .manage, "Send a test message", "At most five an hour.")
            .takingNothing.refusing(.tooManyMessages(retryAfter: .seconds(600)), .channelUnverified)
            .answering(Example.channelTest, "The result.") { request in
                try await operations.testChannel(try request.id("channel"), of: request.owner)
            }

        calls.post(
            "/v1/channels/:channel/verification", .manage, "Send the verification message again",
            "At most five an hour."
        )
        .takingNothing.refusing(.tooManyMessages(retryAfter: .seconds(600)), .channelVerified)
        .done("The message is on its way.", status: .accepted) { request in
            try await operations.askChannel(try request.id("channel"), of: request.owner)
        }

        calls.get("/v1/channels/:channel/deliveries", .read, "List a channel’s messages", "The latest first.")
            .listing(Example.delivery, "A page of messages.") { request, page in
                try await operations.deliveries(to: try request.id("channel"), of: request.owner, page)
            }
    }

    /// The channel in the path, as the caller sees it.
    private func requestedChannel(_ request: CallRequest<OwnerContext, some Sendable>) async throws -> Channel {
        try await operations.channel(try request.id("channel"), of: request.owner)
    }
}
