import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var owners: [Operation] {
        [
            Operation(.get, "/v1/owner", "Who I am")
                .giving(.ok, Example.owner, "The owner whose token it is.")
        ]
    }

    static var channels: [Operation] {
        [
            Operation(.post, "/v1/channels", "Add a channel for alerts")
                .taking({ _ in ChannelDraft.rule }, ChannelDraft(kind: .webhook, url: "https://example.org/hook"))
                .once
                .giving(.created, Example.channelCreated, "The channel; its secret is shown this once.", [.location]),
            Operation(.get, "/v1/channels", "List my channels").listing(Example.channel, "A page of channels."),
            Operation(.delete, "/v1/channels/:channel", "Remove a channel").giving(.noContent, "It is gone."),
        ]
    }
}
