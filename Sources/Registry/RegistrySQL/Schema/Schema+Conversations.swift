extension Schema {
    /// Stickers on bikes, and the conversations of finders with owners.
    static let conversations: [Table] = [
        Table(
            "sticker",
            """
            bike INTEGER PRIMARY KEY REFERENCES bike ON DELETE CASCADE
            digest BLOB(32) NOT NULL UNIQUE
            created INTEGER NOT NULL
            """),
        Table(
            "conversation",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            -- Of the finder's secret.
            digest BLOB(32) NOT NULL UNIQUE
            -- NULL if what the finder named is no bike.
            bike INTEGER REFERENCES bike ON DELETE CASCADE
            -- A digest of the code or the beacon that the finder named.
            target BLOB(32) NOT NULL
            origin TEXT NOT NULL
            -- The finder's network, as numbers that are valid for one day (FinderNetwork).
            subscriber INTEGER NOT NULL
            area INTEGER NOT NULL
            began INTEGER NOT NULL
            -- The time of the latest message.
            changed INTEGER NOT NULL
            -- Whether the owner has written.
            answered INTEGER NOT NULL DEFAULT 0
            -- 1 if the owner is to be told of the latest message.
            untold INTEGER CHECK (untold = 1)
            -- When the owner was last told of a message.
            told INTEGER
            closed INTEGER
            closed_by TEXT
            blocked INTEGER NOT NULL DEFAULT 0
            reported INTEGER
            reported_by TEXT
            report_reason TEXT
            settled INTEGER
            -- The network of the finder's latest message, as a number that is valid for one day.
            writer INTEGER NOT NULL DEFAULT 0
            -- 1 while it is open and the finder wrote last.
            waiting INTEGER CHECK (waiting = 1)
            -- When each side reported it. Neither learns whether the other has.
            reported_by_finder INTEGER
            reported_by_owner INTEGER
            -- Whom a report is about: it outlives the bike and the account.
            reported_bike BLOB(16)
            reported_owner BLOB(16)
            CHECK ((reported IS NULL) = (reported_by IS NULL))
            INDEX conversation_bike (bike, key) WHERE bike IS NOT NULL
            INDEX conversation_network (target, subscriber, began)
            INDEX conversation_target (target, area) WHERE answered = 0 AND reported IS NULL
            INDEX conversation_area (area) WHERE answered = 0 AND reported IS NULL
            INDEX conversation_untold (untold) WHERE untold IS NOT NULL
            INDEX conversation_changed (changed) WHERE closed IS NULL
            INDEX conversation_closed (closed) WHERE closed IS NOT NULL
            INDEX conversation_reported (id) WHERE reported IS NOT NULL AND settled IS NULL
            INDEX conversation_writer (bike, writer) WHERE closed IS NULL AND bike IS NOT NULL
            INDEX conversation_waiting (bike) WHERE waiting = 1
            INDEX conversation_reports (reported_owner, reported_by) WHERE reported IS NOT NULL AND settled IS NULL
            """),
        Table(
            "conversation_message",
            """
            key IDENTITY
            conversation INTEGER NOT NULL REFERENCES conversation ON DELETE CASCADE
            sender TEXT NOT NULL
            time INTEGER NOT NULL
            text TEXT NOT NULL
            INDEX conversation_message_order (conversation, key)
            """),
        // The number of all conversations, kept by triggers.
        Table(
            "conversation_count",
            """
            key INTEGER PRIMARY KEY CHECK (key = 1)
            conversations INTEGER NOT NULL
            """),
        // Networks of blocked finders, as numbers that are valid for one day.
        Table(
            "finder_block",
            """
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE
            network INTEGER NOT NULL
            time INTEGER NOT NULL
            PRIMARY KEY (bike, network)
            INDEX finder_block_time (time)
            """),
    ]

    /// Photos that finders add to conversations. Their pictures are stored like those of bikes.
    static let finderPhotos: [Table] = [
        Table(
            "finder_photo",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            conversation INTEGER NOT NULL REFERENCES conversation ON DELETE CASCADE
            -- The random name of the pictures.
            name BLOB(16) NOT NULL UNIQUE
            width INTEGER NOT NULL
            height INTEGER NOT NULL
            bytes INTEGER NOT NULL
            created INTEGER NOT NULL
            -- The finder's network, as numbers that are valid for one day (FinderNetwork).
            subscriber INTEGER NOT NULL
            area INTEGER NOT NULL
            INDEX finder_photo_conversation (conversation, key)
            INDEX finder_photo_subscriber (subscriber, created)
            """)
    ]

    /// Note the pictures that are to be deleted with a photo.
    static let finderPhotoTriggers: [Trigger] = [
        Trigger(
            "finder_photo_deleted", "AFTER DELETE ON finder_photo",
            "INSERT INTO photo_removed (name) VALUES (OLD.name) ON CONFLICT DO NOTHING;")
    ]

    /// Count all conversations, and note stickers’ codes and blocked finders for restored backups.
    static let conversationTriggers: [Trigger] = [
        .revoking("digest", of: "sticker", at: "DELETE", when: Trigger.hasBike),
        .revoking("digest", of: "sticker", at: "UPDATE OF digest", when: "NEW.digest <> OLD.digest"),
        Trigger(
            "conversation_added", "AFTER INSERT ON conversation",
            "UPDATE conversation_count SET conversations = conversations + 1;"),
        Trigger(
            "conversation_deleted", "AFTER DELETE ON conversation",
            "UPDATE conversation_count SET conversations = conversations - 1;"),
        // A restored backup must not let somebody whom the owner has blocked write again.
        .revoking(
            "digest", of: "conversation", at: "UPDATE OF blocked", when: "NEW.blocked = 1 AND OLD.blocked = 0"),
    ]
}
