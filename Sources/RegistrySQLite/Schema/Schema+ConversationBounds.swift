// Bounds of conversations for each account, blocks by network, and what the operator keeps of a reported conversation.
extension Schema {
    static let conversationBounds = [
        // The network of the finder's latest message, as a number that is valid for one day.
        "ALTER TABLE conversation ADD COLUMN writer INTEGER NOT NULL DEFAULT 0",
        "UPDATE conversation SET writer = subscriber",
        "CREATE INDEX conversation_writer ON conversation (bike, writer) WHERE closed IS NULL AND bike IS NOT NULL",
        // 1 while it is open and the finder wrote last.
        "ALTER TABLE conversation ADD COLUMN waiting INTEGER CHECK (waiting = 1)",
        """
        UPDATE conversation SET waiting = 1 WHERE closed IS NULL AND bike IS NOT NULL AND 'finder' = (
            SELECT sender FROM conversation_message WHERE conversation = conversation.key
            ORDER BY conversation_message.key DESC LIMIT 1
        )
        """,
        "CREATE INDEX conversation_waiting ON conversation (bike) WHERE waiting = 1",
        // When each side reported it. Neither learns whether the other has.
        "ALTER TABLE conversation ADD COLUMN reported_by_finder INTEGER",
        "ALTER TABLE conversation ADD COLUMN reported_by_owner INTEGER",
        "UPDATE conversation SET reported_by_finder = reported WHERE reported_by = 'finder'",
        "UPDATE conversation SET reported_by_owner = reported WHERE reported_by = 'owner'",
        // Whom a report is about: it outlives the bike and the account.
        "ALTER TABLE conversation ADD COLUMN reported_bike BLOB CHECK (length(reported_bike) = 16)",
        "ALTER TABLE conversation ADD COLUMN reported_owner BLOB CHECK (length(reported_owner) = 16)",
        """
        UPDATE conversation SET
            reported_bike = (SELECT id FROM bike WHERE bike.key = conversation.bike),
            reported_owner = (
                SELECT owner.id FROM bike JOIN owner ON owner.key = bike.owner WHERE bike.key = conversation.bike
            )
        WHERE reported IS NOT NULL
        """,
        """
        CREATE INDEX conversation_reports ON conversation (reported_owner, reported_by)
            WHERE reported IS NOT NULL AND settled IS NULL
        """,
        // Networks of blocked finders, as numbers that are valid for one day.
        """
        CREATE TABLE finder_block (
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE,
            network INTEGER NOT NULL,
            time INTEGER NOT NULL,
            PRIMARY KEY (bike, network)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX finder_block_time ON finder_block (time)",
        """
        INSERT OR REPLACE INTO finder_block (bike, network, time)
        SELECT bike, subscriber, began FROM conversation WHERE blocked = 1 AND bike IS NOT NULL
        """,
        "DROP INDEX conversation_blocked",
        "DROP INDEX conversation_told",
        // When a finder whom the owner had not answered last woke the owner by night.
        "ALTER TABLE report ADD COLUMN message_alarm INTEGER",
    ]
}
