import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var channels: [Operation] {
        [
            Operation(
                .post, "/v1/channels", "Add a channel for alerts",
                """
                `url` is a webhook’s URL, an ntfy topic’s URL, a push subscription’s endpoint, an e-mail address or a \
                device’s token. An e-mail address first gets a message that asks for its verification, and nothing else.
                """
            )
            .taking(ChannelDraft.rule(now:), Example.channelDraft).once
            .giving(
                .created, Example.channelCreated, "The channel; a webhook’s secret is shown only once.", [.location]
            )
            .refusing(
                DomainError.tooManyMessages(retryAfter: .seconds(600)), DomainError.quotaReached(.channels, most: 10),
                DomainError.tooManyToday(.addresses, retryAfter: .seconds(3600))),
            Operation(.get, "/v1/channels", "List my channels").listing(Example.channel, "A page of channels."),
            Operation(.get, "/v1/channels/:channel", "Show a channel").showing(Example.channel, "The channel."),
            Operation(
                .put, "/v1/channels/:channel", "Change a channel",
                "If the URL does not change, an access token or keys that are not sent stay."
            )
            .taking(ChannelDraft.rule(now:), Example.channelDraft).conditional("channel").guarded
            .giving(.ok, Example.channel, "The channel as it is now.", [.eTag])
            .refusing(
                DomainError.tooManyMessages(retryAfter: .seconds(600)),
                DomainError.tooManyToday(.addresses, retryAfter: .seconds(3600)),
                DomainError.tooManyToday(.channelChanges, retryAfter: .seconds(3600))),
            Operation(.delete, "/v1/channels/:channel", "Remove a channel", "All channels get a message, this one too.")
                .conditional("channel").guarded
                .giving(.noContent, "The channel was removed."),
            Operation(.post, "/v1/channels/:channel/test", "Send a test message", "At most five an hour.")
                .takingNothing
                .giving(.ok, Example.channelTest, "The result.")
                .refusing(DomainError.tooManyMessages(retryAfter: .seconds(600)), DomainError.channelUnverified),
            Operation(
                .post, "/v1/channels/:channel/verification", "Send the verification message again",
                "At most five an hour."
            )
            .takingNothing
            .giving(.accepted, "The message is on its way.")
            .refusing(DomainError.tooManyMessages(retryAfter: .seconds(600)), DomainError.channelVerified),
            Operation(.get, "/v1/channels/:channel/deliveries", "List a channel’s messages", "The latest first.")
                .listing(Example.delivery, "A page of messages."),
        ]
    }

    /// The calls behind links in e-mails.
    static var channelLinks: [Operation] {
        [
            ("verification", "Confirm that an e-mail address is yours"),
            ("unsubscription", "Stop messages to an e-mail address"),
        ]
        .flatMap { path, summary in
            [
                Operation(.get, "/v1/\(path)/:channel", summary, "A page with a button that does it.").linked,
                Operation(.post, "/v1/\(path)/:channel", "\(summary): do it", "Mail programs post here (RFC 8058).")
                    .linked,
            ]
        }
    }

    private var linked: Operation {
        with(.code).givingPage(.ok, "A page for people.").givingPage(.forbidden, "The link does not work.")
    }
}
