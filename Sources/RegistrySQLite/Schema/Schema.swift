import Foundation
import GRDB
import Registry
import RegistrySQL

/// The tables, step by step: a released step never changes.
///
/// Rows refer to each other by small integer keys; the public 128-bit identifiers occur once in each table. Times are
/// milliseconds since the Unix epoch. A beacon's identity is its 20 transmitted bytes.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.register("1", first)
        migrator.register("missing list journal", missingList)
        migrator.register("sightings by report", sightingsByReport)
        migrator.register("recorded contents", recordedContents) { db in
            try AuditTrail(db).recordBeginning(at: WallClock.system.now)
            for statement in keptContents { try db.execute(sql: statement) }
        }
        migrator.register("owners' limits", limits)
        migrator.register("claimed beacons", claims)
        migrator.register("revocations", revocations)
        migrator.register("fair deliveries", deliveries + findSenders)
        migrator.register("photos", photos)
        migrator.register("sessions and passkeys", sessions)
        migrator.register("shares", shares)
        migrator.register("members", members)
        migrator.register("coverage", coverage)
        migrator.register("stickers and conversations", conversations)
        migrator.register("numbers that buyers check", numbers) { db in
            var generator = Entropy.system
            let secret = Data(NumberKey.makeBytes(using: &generator))
            try db.execute(sql: "INSERT INTO number_key (key, secret) VALUES (1, ?)", arguments: [secret])
        }
        migrator.register("displays", displays)
        migrator.register("operators' desk", desk)
        migrator.register("bounds of conversations", conversationBounds)
        migrator.register("stations' receivers", receivers)
        migrator.register("receivers of sightings", sightingReceivers)
        migrator.register("audit of deleted sightings", [], then: emptyAuditOfDeletedSightings)
        migrator.register("rotating beacons", rotation + slotJudgement)
        migrator.register("misread numbers", foldedNumbers) { try BikeNumbers($0).fold() }
        return migrator
    }

    static let first = stations + principals + accounts + bikes + app + history + sightings + alerts + audit

    private static let principals = [
        """
        CREATE TABLE owner (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            created INTEGER NOT NULL,
            tells_appearance INTEGER NOT NULL,
            language TEXT NOT NULL DEFAULT 'en',
            zone TEXT,
            -- Minutes of the day in that zone.
            quiet_from INTEGER,
            quiet_to INTEGER,
            CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
        ) STRICT
        """,
        """
        CREATE TABLE operator (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            name TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE token (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            owner INTEGER REFERENCES owner ON DELETE CASCADE,
            operator INTEGER REFERENCES operator ON DELETE CASCADE,
            station INTEGER REFERENCES station ON DELETE CASCADE,
            -- An owner has several tokens, each with a name and a scope.
            id BLOB UNIQUE CHECK (length(id) = 16),
            name TEXT,
            scope TEXT,
            created INTEGER NOT NULL,
            last_used INTEGER,
            CHECK ((owner IS NULL) = (id IS NULL) AND (id IS NULL) = (name IS NULL) AND (id IS NULL) = (scope IS NULL)),
            CHECK ((owner IS NOT NULL) + (operator IS NOT NULL) + (station IS NOT NULL) = 1)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX token_owner ON token (owner, id) WHERE owner IS NOT NULL",
        "CREATE INDEX token_operator ON token (operator) WHERE operator IS NOT NULL",
        "CREATE INDEX token_station ON token (station) WHERE station IS NOT NULL",
        """
        CREATE TABLE once (
            principal BLOB NOT NULL,
            key TEXT NOT NULL,
            request BLOB NOT NULL CHECK (length(request) = 32),
            resource BLOB NOT NULL CHECK (length(resource) = 16),
            created INTEGER NOT NULL,
            PRIMARY KEY (principal, key)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX once_created ON once (created)",
    ]

    private static let bikes = [
        // The row stays when its bike is deleted: an identity is never issued or claimed again.
        """
        CREATE TABLE identity (
            beacon BLOB PRIMARY KEY CHECK (length(beacon) = 20),
            issued INTEGER NOT NULL,
            -- When the last bike stopped using it.
            retired INTEGER
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE bike (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
            -- NULL if the bike was handed over: this row keeps the reports of the previous owner.
            beacon BLOB UNIQUE REFERENCES identity,
            kind TEXT NOT NULL,
            make TEXT NOT NULL,
            model TEXT NOT NULL,
            colours TEXT NOT NULL,
            year INTEGER,
            serial TEXT,
            vin TEXT,
            plate TEXT,
            notes TEXT,
            -- Dates that the owner is reminded of, as JSON.
            upkeep TEXT,
            created INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX bike_owner ON bike (owner, id)",
        """
        CREATE TABLE report (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE,
            opened INTEGER NOT NULL,
            missing_since INTEGER NOT NULL,
            latitude REAL,
            longitude REAL,
            accuracy REAL,
            police_reference TEXT,
            police_force TEXT,
            note TEXT,
            held_until INTEGER,
            -- NULL if a police reference was given.
            sightings_until INTEGER,
            -- Whether the bike is on the missing list while the report is open.
            listed INTEGER NOT NULL DEFAULT 1,
            expiry_told INTEGER,
            -- The key of the last sighting that caused an alert or joined one.
            told_last INTEGER,
            -- When to check whether the bike was heard recently; NULL if its owner was asked since.
            quiet_check INTEGER,
            closed INTEGER,
            outcome TEXT,
            recovered_by TEXT,
            closure_note TEXT,
            sightings_deleted INTEGER,
            CHECK ((closed IS NULL) = (outcome IS NULL)),
            CHECK ((latitude IS NULL) = (longitude IS NULL))
        ) STRICT
        """,
        "CREATE INDEX report_bike ON report (bike, id)",
        "CREATE UNIQUE INDEX report_open ON report (bike) WHERE closed IS NULL",
        "CREATE INDEX report_age ON report (opened) WHERE closed IS NULL",
        "CREATE INDEX report_unfounded ON report (sightings_until) WHERE closed IS NULL AND listed = 1",
        "CREATE INDEX report_quiet ON report (quiet_check) WHERE closed IS NULL AND quiet_check IS NOT NULL",
        "CREATE INDEX report_closed ON report (closed) WHERE closed IS NOT NULL AND sightings_deleted IS NULL",
        """
        CREATE TABLE missing_list (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            version INTEGER NOT NULL
        ) STRICT
        """,
        "INSERT INTO missing_list (key, version) VALUES (1, 0)",
    ]

    private static let alerts = [
        """
        CREATE TABLE channel (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
            kind TEXT NOT NULL,
            url TEXT NOT NULL,
            secret BLOB NOT NULL,
            -- Whether messages may include the place.
            coordinates INTEGER NOT NULL,
            -- Minutes that a sighting waits for an acknowledgement before it is sent to this channel.
            after INTEGER,
            -- The settings of this kind of channel, as JSON.
            settings TEXT,
            created INTEGER NOT NULL,
            -- Before it is verified, only the verification request is sent.
            verified INTEGER,
            last_error TEXT,
            -- A removed channel stays until it has sent the notice of its removal.
            removed INTEGER
        ) STRICT
        """,
        "CREATE INDEX channel_owner ON channel (owner, id)",
        // Messages that an owner requested to channels of a kind, which are limited.
        """
        CREATE TABLE channel_message (
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
            purpose TEXT NOT NULL,
            time INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX channel_message_owner ON channel_message (owner, purpose, time)",
        "CREATE INDEX channel_message_time ON channel_message (time)",
        // Verification messages by mailbox. They outlive the owners who requested them: otherwise someone could flood a
        // mailbox by erasing the account and registering again.
        """
        CREATE TABLE mailbox_question (
            mailbox BLOB NOT NULL CHECK (length(mailbox) = 32),
            time INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX mailbox_question_mailbox ON mailbox_question (mailbox, time)",
        "CREATE INDEX mailbox_question_time ON mailbox_question (time)",
        "CREATE INDEX channel_removed ON channel (removed) WHERE removed IS NOT NULL",
        // While an alert waits, due is the time of its next attempt; a claim moves it to the end of the lease. The
        // alert is about a sighting, a notice as JSON, or the digest of a report's sightings.
        """
        CREATE TABLE alert (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            sighting INTEGER REFERENCES sighting ON DELETE CASCADE,
            notice BLOB,
            report INTEGER REFERENCES report ON DELETE CASCADE,
            channel INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE,
            urgent INTEGER NOT NULL,
            -- The first sighting of those that share one alert.
            thread INTEGER REFERENCES sighting ON DELETE CASCADE,
            -- The new level, in an update of an earlier alert; empty in the first alert.
            news TEXT NOT NULL DEFAULT '',
            -- The sighting's reasons in its last alert, as bits.
            told INTEGER,
            -- The alert that contains a sighting that was held back.
            digest INTEGER REFERENCES alert ON DELETE SET NULL,
            -- The channel's: alerts are claimed by kind.
            kind TEXT NOT NULL,
            created INTEGER NOT NULL,
            due INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            delivered INTEGER,
            last_error TEXT,
            UNIQUE (sighting, channel, news),
            CHECK ((sighting IS NOT NULL) + (notice IS NOT NULL) + (report IS NOT NULL) = 1)
        ) STRICT
        """,
        "CREATE INDEX alert_due ON alert (kind, urgent, due) WHERE due IS NOT NULL",
        "CREATE INDEX alert_thread ON alert (thread) WHERE thread IS NOT NULL",
        "CREATE INDEX alert_digest ON alert (digest) WHERE digest IS NOT NULL",
        "CREATE INDEX alert_report ON alert (report) WHERE report IS NOT NULL",
        "CREATE INDEX alert_channel ON alert (channel, id)",
        // The number of alerts of a report that a station has caused since a time.
        """
        CREATE TABLE station_share (
            report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE,
            station INTEGER NOT NULL REFERENCES station,
            since INTEGER NOT NULL,
            alerts INTEGER NOT NULL,
            PRIMARY KEY (report, station)
        ) STRICT, WITHOUT ROWID
        """,
        // The reminders for owners, and whether they were sent.
        """
        CREATE TABLE reminder (
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE,
            event TEXT NOT NULL,
            -- Days since 1970-01-01.
            date INTEGER NOT NULL,
            days_before INTEGER NOT NULL,
            due INTEGER NOT NULL,
            told INTEGER,
            PRIMARY KEY (bike, event, date, days_before)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX reminder_due ON reminder (due) WHERE told IS NULL",
        "CREATE INDEX reminder_date ON reminder (date)",
        "CREATE INDEX alert_told ON alert (created) WHERE notice IS NOT NULL AND due IS NULL",
    ]
}

extension DatabaseMigrator {
    /// Adds a step that executes statements, and then runs any other code of the step.
    fileprivate mutating func register(
        _ step: String, _ statements: [String], then finish: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) {
        registerMigration(step) { db in
            for statement in statements { try db.execute(sql: statement) }
            try finish(db)
        }
    }
}
