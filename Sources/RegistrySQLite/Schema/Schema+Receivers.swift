// Whether the last heartbeat of a station says that no receiver works.
extension Schema {
    static let receivers = [
        // Known for each station within five minutes, when it sends its next heartbeat.
        "ALTER TABLE station_heartbeat ADD COLUMN deaf INTEGER NOT NULL DEFAULT 0"
    ]
}
