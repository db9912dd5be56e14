extension Schema {
    /// The missing list and the journal of its changes.
    ///
    /// Triggers note beacons whose place on the list may have changed, regardless of which statement changes a report
    /// or a bike. At the end of every group of changes, the list is updated from these alone. So `missing_list_touched`
    /// is empty between transactions.
    static let missingList: [Table] = [
        Table(
            "missing_list",
            """
            key INTEGER PRIMARY KEY CHECK (key = 1)
            version INTEGER NOT NULL
            mark INTEGER NOT NULL DEFAULT 0
            """),
        // The beacons on the list. Derived from the reports, and stored, so that a change does not need to scan all
        // reports.
        Table("missing_list_entry", "beacon BLOB(20) PRIMARY KEY"),
        // The versions that the journal can start from. Seen: the time when the journal was first trimmed after the
        // version was made.
        Table(
            "missing_list_version",
            """
            number INTEGER PRIMARY KEY
            mark INTEGER NOT NULL
            seen INTEGER
            """),
        // The changes of each version.
        Table(
            "missing_list_change",
            """
            version INTEGER NOT NULL
            beacon BLOB(20) NOT NULL
            listed INTEGER NOT NULL
            PRIMARY KEY (version, beacon)
            """),
        Table("missing_list_touched", "beacon BLOB PRIMARY KEY"),
        // Has a row, within a transaction, if the journal of the missing list must be emptied and begin at its end.
        Table("missing_list_gap", "key INTEGER PRIMARY KEY CHECK (key = 1)"),
    ]
}
