extension Schema {
    /// Reports of missing bikes, and links that let anyone who has one follow a search.
    static let reports: [Table] = [
        Table(
            "report",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE
            opened INTEGER NOT NULL
            missing_since INTEGER NOT NULL
            latitude REAL
            longitude REAL
            accuracy REAL
            police_reference TEXT
            police_force TEXT
            note TEXT
            held_until INTEGER
            -- NULL if a police reference was given.
            sightings_until INTEGER
            -- Whether the bike is on the missing list while the report is open.
            listed INTEGER NOT NULL DEFAULT 1
            expiry_told INTEGER
            -- The key of the last sighting that caused an alert or joined one.
            told_last INTEGER
            -- When to check whether the bike was heard recently; NULL if its owner was asked since.
            quiet_check INTEGER
            closed INTEGER
            outcome TEXT
            recovered_by TEXT
            closure_note TEXT
            sightings_deleted INTEGER
            confirmed INTEGER
            -- The time since which the open search counts against the beacon's days; NULL if it does not.
            counted_since INTEGER
            search_end_told INTEGER
            -- The label of the member who opened the report; NULL if the bike's owner did.
            opened_by TEXT
            -- NULL if the bike was never on the list. Kept when the bike is taken off: then sightings_until or closed
            -- has the end.
            listed_since INTEGER
            -- When a finder whom the owner had not answered last woke the owner by night.
            message_alarm INTEGER
            CHECK ((closed IS NULL) = (outcome IS NULL))
            CHECK ((latitude IS NULL) = (longitude IS NULL))
            INDEX report_bike (bike, id)
            UNIQUE INDEX report_open (bike) WHERE closed IS NULL
            INDEX report_age (opened) WHERE closed IS NULL
            INDEX report_unfounded (sightings_until) WHERE closed IS NULL AND listed = 1
            INDEX report_quiet (quiet_check) WHERE closed IS NULL AND quiet_check IS NOT NULL
            INDEX report_closed (closed) WHERE closed IS NOT NULL AND sightings_deleted IS NULL
            INDEX report_search_end (sightings_until) WHERE closed IS NULL AND listed = 1 AND search_end_told IS NULL
            INDEX report_reference (id) WHERE closed IS NULL AND confirmed IS NULL AND police_reference IS NOT NULL
            """),
        Table(
            "share",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE
            -- The token or session that made it, with which it ends.
            token BLOB REFERENCES token (id) ON DELETE CASCADE
            digest BLOB(32) NOT NULL UNIQUE
            label TEXT
            created INTEGER NOT NULL
            -- Zero if it has ended and is about to be deleted.
            ends INTEGER NOT NULL
            views INTEGER NOT NULL DEFAULT 0
            last_viewed INTEGER
            INDEX share_report (report, id)
            INDEX share_token (token) WHERE token IS NOT NULL
            INDEX share_ends (ends)
            """),
    ]

    /// The outcomes of closed searches, until they are counted.
    static let searchEnds = Table(
        "report",
        """
        -- How long a closed report's bike was searched for; NULL if it was not, or if it was a false alarm.
        searched_for INTEGER
        -- When it was heard first; NULL if never. Both in milliseconds from the report's opening.
        heard_after INTEGER
        INDEX report_searched (closed) WHERE searched_for IS NOT NULL
        """)

    /// What keeps one beacon and one owner from shaping the counts of searches, even if the bikes are erased in
    /// between.
    static let countedSearches: [Table] = [
        Table(
            "identity",
            """
            -- Whether a search for the beacon has counted.
            search_counted INTEGER NOT NULL DEFAULT 0
            """),
        Table(
            "owner",
            """
            -- When the last two searches of the owner that count ended.
            counted_search INTEGER
            earlier_counted_search INTEGER
            """),
    ]

    /// The outcomes of searches as counts only, in steps of several owners. They belong to no owner.
    static let closedSearches = Table(
        "closed_search",
        """
        key IDENTITY
        -- The beginning of the day of the step, before which its searches ended.
        until INTEGER NOT NULL
        -- Both are a ClosedSearches.Span; NULL if no station heard the bike.
        heard TEXT
        lasted TEXT NOT NULL
        searches INTEGER NOT NULL
        INDEX closed_search_until (until)
        """)

    /// The searches that an operator should look at: see SearchSigns.
    static let searchSigns = Table(
        "report",
        """
        -- Whether the beacon was new when the report was opened, so that its search is short.
        new_beacon INTEGER NOT NULL DEFAULT 0
        -- Bits in the order of SearchToCheck.Sign, with the counts behind them, and when to count again.
        signs INTEGER NOT NULL DEFAULT 0
        lately INTEGER NOT NULL DEFAULT 0
        nights INTEGER NOT NULL DEFAULT 0
        signs_due INTEGER NOT NULL DEFAULT 0
        INDEX report_signs_due (signs_due) WHERE closed IS NULL
        INDEX report_signs (id) WHERE closed IS NULL AND confirmed IS NULL AND listed = 1 AND signs <> 0
        """)

    /// Note the beacons whose place on the missing list may change, and links that no longer work.
    static let reportTriggers: [Trigger] = [
        .touching("report_inserted", "INSERT ON report", "SELECT beacon FROM bike WHERE key = NEW.bike"),
        .touching(
            "report_updated", "UPDATE OF bike, closed, listed ON report",
            "SELECT beacon FROM bike WHERE key IN (OLD.bike, NEW.bike)"),
        .touching("report_deleted", "DELETE ON report", "SELECT beacon FROM bike WHERE key = OLD.bike"),
        // No entry if the search is gone because its bike or its owner is being erased.
        .revoking(
            "digest", of: "share", at: "DELETE",
            when: """
                OLD.ends <> 0 AND EXISTS (
                    SELECT 1 FROM report JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner
                    WHERE report.key = OLD.report
                )
                """),
        .revoking("digest", of: "share", at: "UPDATE OF digest", when: "NEW.digest <> OLD.digest"),
    ]
}
