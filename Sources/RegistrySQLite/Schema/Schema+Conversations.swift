// Stickers on bikes, and the conversations of finders with owners.
extension Schema {
    static let conversations = [
        """
        CREATE TABLE sticker (
            bike INTEGER PRIMARY KEY REFERENCES bike ON DELETE CASCADE,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            created INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE conversation (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            -- Of the finder's secret.
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            -- NULL if what the finder named is no bike.
            bike INTEGER REFERENCES bike ON DELETE CASCADE,
            -- A digest of the code or the beacon that the finder named.
            target BLOB NOT NULL CHECK (length(target) = 32),
            origin TEXT NOT NULL,
            -- The finder's network, as numbers that are valid for one day (FinderNetwork).
            subscriber INTEGER NOT NULL,
            area INTEGER NOT NULL,
            began INTEGER NOT NULL,
            -- The time of the latest message.
            changed INTEGER NOT NULL,
            -- Whether the owner has written.
            answered INTEGER NOT NULL DEFAULT 0,
            -- 1 if the owner is to be told of the latest message.
            untold INTEGER CHECK (untold = 1),
            -- When the owner was last told of a message.
            told INTEGER,
            closed INTEGER,
            closed_by TEXT,
            blocked INTEGER NOT NULL DEFAULT 0,
            reported INTEGER,
            reported_by TEXT,
            report_reason TEXT,
            settled INTEGER,
            CHECK ((reported IS NULL) = (reported_by IS NULL))
        ) STRICT
        """,
        "CREATE INDEX conversation_bike ON conversation (bike, key) WHERE bike IS NOT NULL",
        "CREATE INDEX conversation_blocked ON conversation (bike, subscriber) WHERE blocked = 1",
        "CREATE INDEX conversation_network ON conversation (target, subscriber, began)",
        "CREATE INDEX conversation_target ON conversation (target, area) WHERE answered = 0 AND reported IS NULL",
        "CREATE INDEX conversation_area ON conversation (area) WHERE answered = 0 AND reported IS NULL",
        "CREATE INDEX conversation_untold ON conversation (untold) WHERE untold IS NOT NULL",
        "CREATE INDEX conversation_told ON conversation (bike, told) WHERE told IS NOT NULL",
        "CREATE INDEX conversation_changed ON conversation (changed) WHERE closed IS NULL",
        "CREATE INDEX conversation_closed ON conversation (closed) WHERE closed IS NOT NULL",
        "CREATE INDEX conversation_reported ON conversation (id) WHERE reported IS NOT NULL AND settled IS NULL",
        """
        CREATE TABLE conversation_message (
            key INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL REFERENCES conversation ON DELETE CASCADE,
            sender TEXT NOT NULL,
            time INTEGER NOT NULL,
            text TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX conversation_message_order ON conversation_message (conversation, key)",
        // The number of all conversations, kept by the triggers below.
        """
        CREATE TABLE conversation_count (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            conversations INTEGER NOT NULL
        ) STRICT
        """,
        "INSERT INTO conversation_count (key, conversations) VALUES (1, 0)",
        """
        CREATE TRIGGER conversation_added AFTER INSERT ON conversation BEGIN
            UPDATE conversation_count SET conversations = conversations + 1;
        END
        """,
        """
        CREATE TRIGGER conversation_deleted AFTER DELETE ON conversation BEGIN
            UPDATE conversation_count SET conversations = conversations - 1;
        END
        """,
        revoking("digest", of: "sticker", at: "DELETE", when: hasBike),
        revoking("digest", of: "sticker", at: "UPDATE OF digest", when: "NEW.digest <> OLD.digest"),
        // A restored backup must not let somebody write again whom the owner has blocked.
        revoking("digest", of: "conversation", at: "UPDATE OF blocked", when: "NEW.blocked = 1 AND OLD.blocked = 0"),
    ]
}
