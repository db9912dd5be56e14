// The missing list and the journal of its changes.
extension Schema {
    static let missingList: [String] = [
        """
        CREATE TABLE missing_list (
            key bigint PRIMARY KEY CHECK (key = 1),
            version bigint NOT NULL,
            mark bigint NOT NULL DEFAULT 0
        )
        """,
        """
        CREATE TABLE missing_list_entry (
            beacon bytea PRIMARY KEY CHECK (length(beacon) = 20)
        )
        """,
        """
        CREATE TABLE missing_list_version (
            number bigint PRIMARY KEY,
            mark bigint NOT NULL,
            seen bigint
        )
        """,
        """
        CREATE TABLE missing_list_change (
            version bigint NOT NULL,
            beacon bytea NOT NULL CHECK (length(beacon) = 20),
            listed bigint NOT NULL,
            PRIMARY KEY (version, beacon)
        )
        """,
        """
        CREATE TABLE missing_list_touched (
            beacon bytea PRIMARY KEY
        )
        """,
    ]

    /// These note beacons whose place on the list may have changed, regardless of which statement changes a report or a
    /// bike. At the end of every group of changes, the list is updated from these alone. So `missing_list_touched` is
    /// empty between transactions.
    static let missingListTriggers = all(
        touching("report_inserted", "INSERT ON report", "SELECT beacon FROM bike WHERE key = NEW.bike"),
        touching(
            "report_updated", "UPDATE OF bike, closed, listed ON report",
            "SELECT beacon FROM bike WHERE key IN (OLD.bike, NEW.bike)"
        ),
        touching("report_deleted", "DELETE ON report", "SELECT beacon FROM bike WHERE key = OLD.bike"),
        touching("bike_updated", "UPDATE OF beacon ON bike", "SELECT OLD.beacon AS beacon UNION SELECT NEW.beacon"),
        // Its reports are deleted with it, before or after.
        touching("bike_deleted", "DELETE ON bike", "SELECT OLD.beacon AS beacon"),
        touching(
            "claim_updated", "UPDATE OF test_ends ON beacon_claim", "SELECT beacon FROM bike WHERE key = NEW.bike"),
        touching("claim_deleted", "DELETE ON beacon_claim", "SELECT beacon FROM bike WHERE key = OLD.bike")
    )

    private static func touching(_ name: String, _ event: String, _ beacons: String) -> [String] {
        trigger(
            "missing_list_\(name)", "AFTER \(event)",
            """
            INSERT INTO missing_list_touched (beacon)
            SELECT beacon FROM (\(beacons)) AS touched WHERE beacon IS NOT NULL ON CONFLICT DO NOTHING;
            """
        )
    }
}
