// The missing list and the journal of its changes.
//
// Triggers note beacons whose place on the list may have changed, regardless of which statement changes a report or a
// bike. At the end of every change, the list is updated from these alone.
extension Schema {
    static let missingList = [
        "ALTER TABLE missing_list ADD COLUMN mark INTEGER NOT NULL DEFAULT 0",
        "UPDATE missing_list SET mark = random()",
        // The beacons on the list. Derived from the reports, and stored, so that a change does not need to scan all
        // reports.
        """
        CREATE TABLE missing_list_entry (
            beacon BLOB PRIMARY KEY CHECK (length(beacon) = 20)
        ) STRICT, WITHOUT ROWID
        """,
        """
        INSERT INTO missing_list_entry
        SELECT bike.beacon FROM bike JOIN report ON report.bike = bike.key
        WHERE report.closed IS NULL AND report.listed AND bike.beacon IS NOT NULL
        """,
        // The versions that the journal can start from. Seen: the time when the journal was first trimmed after the
        // version was made.
        """
        CREATE TABLE missing_list_version (
            number INTEGER PRIMARY KEY,
            mark INTEGER NOT NULL,
            seen INTEGER
        ) STRICT
        """,
        "INSERT INTO missing_list_version (number, mark) SELECT version, mark FROM missing_list",
        // The changes of each version.
        """
        CREATE TABLE missing_list_change (
            version INTEGER NOT NULL,
            beacon BLOB NOT NULL CHECK (length(beacon) = 20),
            listed INTEGER NOT NULL,
            PRIMARY KEY (version, beacon)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE TABLE missing_list_touched (beacon BLOB PRIMARY KEY) STRICT, WITHOUT ROWID",
        touching("report_inserted", "INSERT ON report", "SELECT beacon FROM bike WHERE key = NEW.bike"),
        touching(
            "report_updated", "UPDATE OF bike, closed, listed ON report",
            "SELECT beacon FROM bike WHERE key IN (OLD.bike, NEW.bike)"
        ),
        touching("report_deleted", "DELETE ON report", "SELECT beacon FROM bike WHERE key = OLD.bike"),
        touching("bike_updated", "UPDATE OF beacon ON bike", "SELECT OLD.beacon AS beacon UNION SELECT NEW.beacon"),
        // Its reports are deleted with it, before or after.
        touching("bike_deleted", "DELETE ON bike", "SELECT OLD.beacon AS beacon"),
    ]

    static func touching(_ name: String, _ event: String, _ beacons: String) -> String {
        """
        CREATE TRIGGER missing_list_\(name) AFTER \(event)
        BEGIN
            INSERT OR IGNORE INTO missing_list_touched SELECT beacon FROM (\(beacons)) WHERE beacon IS NOT NULL;
        END
        """
    }
}
