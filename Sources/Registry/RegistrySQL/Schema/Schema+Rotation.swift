extension Schema {
    /// Rotating beacons: sealed keys, the identities of slots, and the windows of the missing list; and the canary.
    static let rotation: [Table] = [
        Table(
            "rotating_beacon",
            """
            key IDENTITY
            -- The beacon's name, which its bike has as its beacon. No beacon sends it.
            beacon BLOB NOT NULL UNIQUE REFERENCES identity
            -- The beacon's key, sealed with a key that is not in the database.
            sealed BLOB NOT NULL
            -- The slots by which its clock lagged behind at the time of the last check.
            lag INTEGER NOT NULL
            checked INTEGER NOT NULL
            -- The lag that its owner knows of: at first none, then that of the last notice.
            known_lag INTEGER NOT NULL DEFAULT 0
            -- The slots that rotating_slot has.
            stored_first INTEGER
            stored_last INTEGER
            -- The slots that belong on the missing list while the bike is missing; NULL before they are stored.
            first_slot INTEGER
            last_slot INTEGER
            -- The slots that are on the missing list, as in its last row of rotating_window.
            listed_first INTEGER
            listed_last INTEGER
            -- Whether its key could not be opened when that was last tried.
            unreadable INTEGER NOT NULL DEFAULT 0
            CHECK ((stored_first IS NULL) = (stored_last IS NULL))
            CHECK ((first_slot IS NULL) = (last_slot IS NULL))
            CHECK ((listed_first IS NULL) = (listed_last IS NULL))
            INDEX rotating_beacon_stored (stored_first) WHERE stored_first IS NOT NULL
            INDEX rotating_beacon_listed (listed_first) WHERE listed_first IS NOT NULL
            INDEX rotating_beacon_unreadable (key) WHERE unreadable <> 0
            """),
        Table(
            "rotating_slot",
            """
            rotating INTEGER NOT NULL REFERENCES rotating_beacon ON DELETE CASCADE
            slot INTEGER NOT NULL
            beacon BLOB(20) NOT NULL UNIQUE
            PRIMARY KEY (rotating, slot)
            """),
        // The slots that are listed from a version of the missing list on; NULL if none are.
        Table(
            "rotating_window",
            """
            rotating INTEGER NOT NULL REFERENCES rotating_beacon ON DELETE CASCADE
            version INTEGER NOT NULL
            first_slot INTEGER
            last_slot INTEGER
            PRIMARY KEY (rotating, version)
            CHECK ((first_slot IS NULL) = (last_slot IS NULL))
            INDEX rotating_window_version (version)
            """),
        // The number of the last refresh of all windows.
        Table(
            "rotation",
            """
            key INTEGER PRIMARY KEY CHECK (key = 1)
            refresh INTEGER NOT NULL
            """),
        // An identity on the missing list that no beacon has, and the stations that reported it.
        Table(
            "canary",
            """
            key INTEGER PRIMARY KEY CHECK (key = 1)
            beacon BLOB NOT NULL UNIQUE REFERENCES identity
            placed INTEGER NOT NULL
            """),
        Table(
            "canary_report",
            """
            station INTEGER PRIMARY KEY REFERENCES station ON DELETE CASCADE
            first INTEGER NOT NULL
            last INTEGER NOT NULL
            reports INTEGER NOT NULL
            """),
        // Judging by slots: the sightings that are used to judge others (those whose own data cast no doubt on them).
        Table(
            "slot_witness",
            """
            sighting INTEGER PRIMARY KEY REFERENCES sighting ON DELETE CASCADE
            report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE
            station INTEGER NOT NULL REFERENCES station
            -- The slots by which the beacon's clock lagged behind when it was first heard.
            lag INTEGER NOT NULL
            slot INTEGER NOT NULL
            first_seen INTEGER NOT NULL
            INDEX slot_witness_slot (report, lag, slot, first_seen)
            INDEX slot_witness_station (report, lag, station)
            """),
        // The lags that witnesses of several stations have in common.
        Table(
            "slot_lag",
            """
            report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE
            lag INTEGER NOT NULL
            PRIMARY KEY (report, lag)
            """),
        // The reports whose sightings are judged again.
        Table(
            "slot_judgement",
            """
            report INTEGER PRIMARY KEY REFERENCES report ON DELETE CASCADE
            began INTEGER NOT NULL
            -- The slot and the key of the sighting that was judged last.
            slot INTEGER NOT NULL
            sighting INTEGER NOT NULL
            -- Whether to begin again at the end.
            again INTEGER NOT NULL
            """),
    ]
}
