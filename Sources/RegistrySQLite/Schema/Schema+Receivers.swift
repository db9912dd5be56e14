extension Schema {
    static let receivers = [
        // Whether the last heartbeat of a station says that no receiver works. Known for each station within five minutes, when it sends its next heartbeat.
        "ALTER TABLE station_heartbeat ADD COLUMN deaf INTEGER NOT NULL DEFAULT 0"
    ]

    /// The receiver that heard a visit best. NULL in older rows, whose records then stay the same.
    static let sightingReceivers = [
        "ALTER TABLE sighting ADD COLUMN receiver TEXT",
        "ALTER TABLE sighting ADD COLUMN receiver_latitude REAL",
        "ALTER TABLE sighting ADD COLUMN receiver_longitude REAL",
        "ALTER TABLE sighting ADD COLUMN receiver_accuracy REAL",
    ]
}
