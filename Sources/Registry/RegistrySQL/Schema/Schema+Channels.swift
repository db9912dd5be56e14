extension Schema {
    /// The channels to owners, and the limits on what is sent to them.
    static let channels: [Table] = [
        Table(
            "channel",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
            kind TEXT NOT NULL
            url TEXT NOT NULL
            secret BLOB NOT NULL
            -- Whether messages may include the place.
            coordinates INTEGER NOT NULL
            -- Minutes that a sighting waits for an acknowledgement before it is sent to this channel.
            after INTEGER
            -- The settings of this kind of channel, as JSON.
            settings TEXT
            created INTEGER NOT NULL
            -- Before it is verified, only the verification request is sent.
            verified INTEGER
            last_error TEXT
            -- A removed channel stays until it has sent the notice of its removal.
            removed INTEGER
            -- ReceiverStanding's raw value.
            standing INTEGER NOT NULL DEFAULT 1
            -- The time of the last slow delivery.
            slow INTEGER
            -- The time when an alert was last claimed: channels take turns.
            tried INTEGER NOT NULL DEFAULT 0
            -- The time when the next alert is due, or since when the channel waits for its turn: maintained by the
            -- triggers of alerts.
            next_urgent INTEGER
            next_calm INTEGER
            INDEX channel_owner (owner, id)
            INDEX channel_removed (removed) WHERE removed IS NOT NULL
            INDEX channel_urgent (kind, standing, next_urgent) WHERE next_urgent IS NOT NULL
            INDEX channel_calm (kind, standing, next_calm) WHERE next_calm IS NOT NULL
            """),
        // Messages that an owner requested to channels of a kind, which are limited.
        Table(
            "channel_message",
            """
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
            purpose TEXT NOT NULL
            time INTEGER NOT NULL
            INDEX channel_message_owner (owner, purpose, time)
            INDEX channel_message_time (time)
            """),
        // Verification messages by mailbox. They outlive the owners who requested them: otherwise someone could flood a
        // mailbox by erasing the account and registering again.
        Table(
            "mailbox_question",
            """
            mailbox BLOB(32) NOT NULL
            time INTEGER NOT NULL
            INDEX mailbox_question_mailbox (mailbox, time)
            INDEX mailbox_question_time (time)
            """),
        // The number of notices of a kind, and if they are about a bike, of that bike, that an owner got in a window,
        // and the notices held back. Bike: 16 bytes, or empty.
        Table(
            "notice_rate",
            """
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
            event TEXT NOT NULL
            bike BLOB NOT NULL
            until INTEGER NOT NULL
            told INTEGER NOT NULL
            held INTEGER NOT NULL DEFAULT 0
            -- The last notice that was held back, as JSON.
            notice BLOB
            urgent INTEGER NOT NULL DEFAULT 0
            PRIMARY KEY (owner, event, bike)
            INDEX notice_rate_until (until)
            """),
        // Failed deliveries by hour (of the Unix time), and the last one of that hour.
        Table(
            "delivery_error",
            """
            kind TEXT NOT NULL
            hour INTEGER NOT NULL
            errors INTEGER NOT NULL
            last INTEGER NOT NULL
            text TEXT NOT NULL
            PRIMARY KEY (kind, hour)
            """),
    ]
}
