extension Schema {
    /// Bikes, their beacons and their history.
    static let bikes: [Table] = [
        // The row stays when its bike is deleted: an identity is never issued or claimed again.
        Table(
            "identity",
            """
            beacon BLOB(20) PRIMARY KEY
            issued INTEGER NOT NULL
            -- When the last bike stopped using it.
            retired INTEGER
            -- The time since which an operator keeps the beacon off the missing list.
            stopped INTEGER
            -- Milliseconds for which the beacon was searched for, over all its reports: without a police reference,
            -- and with a police reference that nobody has confirmed.
            searched_on_word INTEGER NOT NULL DEFAULT 0
            searched_on_reference INTEGER NOT NULL DEFAULT 0
            -- Whether it is only the name of a rotating beacon, even after the beacon was deleted.
            rotating INTEGER NOT NULL DEFAULT 0
            """),
        Table(
            "bike",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
            -- NULL if the bike was handed over: this row keeps the reports of the previous owner.
            beacon BLOB UNIQUE REFERENCES identity
            kind TEXT NOT NULL
            make TEXT NOT NULL
            model TEXT NOT NULL
            colours TEXT NOT NULL
            year INTEGER
            serial TEXT
            vin TEXT
            plate TEXT
            notes TEXT
            -- Dates that the owner is reminded of, as JSON.
            upkeep TEXT
            created INTEGER NOT NULL
            INDEX bike_owner (owner, id)
            """),
        Table(
            "bike_event",
            """
            key IDENTITY AUTOINCREMENT
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE
            time INTEGER NOT NULL
            event TEXT NOT NULL
            beacon BLOB(20)
            message TEXT
            contact TEXT
            -- A number that is valid for one day (FindSenders).
            sender INTEGER
            INDEX bike_event_bike (bike)
            INDEX bike_event_found (bike, time) WHERE event = 'found'
            """),
        Table(
            "transfer",
            """
            bike INTEGER PRIMARY KEY REFERENCES bike ON DELETE CASCADE
            code BLOB(32) NOT NULL UNIQUE
            expires INTEGER NOT NULL
            """),
        // Finds that have not been processed yet, whether the beacon is known or not.
        Table(
            "find",
            """
            key IDENTITY
            beacon BLOB(20) NOT NULL
            message TEXT
            contact TEXT
            time INTEGER NOT NULL
            -- A number that is valid for one day (FindSenders).
            sender INTEGER
            """),
        // The reminders for owners, and whether they were sent.
        Table(
            "reminder",
            """
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE
            event TEXT NOT NULL
            -- Days since 1970-01-01.
            date INTEGER NOT NULL
            days_before INTEGER NOT NULL
            due INTEGER NOT NULL
            told INTEGER
            PRIMARY KEY (bike, event, date, days_before)
            INDEX reminder_due (due) WHERE told IS NULL
            INDEX reminder_date (date)
            """),
        // Additional data of a bike in the original app: the digest of the secret that updates it, and its colour's
        // name.
        Table(
            "app_bike",
            """
            bike INTEGER PRIMARY KEY REFERENCES bike ON DELETE CASCADE
            secret BLOB(32) NOT NULL UNIQUE
            colour TEXT NOT NULL
            """),
        Table(
            "beacon_claim",
            """
            bike INTEGER PRIMARY KEY REFERENCES bike ON DELETE CASCADE
            -- NULL once an operator has refused it.
            claimed BLOB(20)
            since INTEGER NOT NULL
            -- The time until which stations listen for the bike's identity; NULL while no test runs.
            test_ends INTEGER
            INDEX beacon_claim_test (test_ends) WHERE test_ends IS NOT NULL
            INDEX beacon_claim_waiting (bike) WHERE claimed IS NOT NULL
            """),
    ]

    /// Tests of beacons that need no proof. They belong to the beacon, so that no other account can test it sooner.
    static let beaconTests = Table(
        "identity",
        """
        -- The time until which stations listen for the beacon; NULL while no test runs.
        tested_until INTEGER
        -- When a station last heard the beacon in a test.
        heard_in_test INTEGER
        INDEX identity_tested (tested_until) WHERE tested_until IS NOT NULL
        """)

    /// Notes a beacon whose test begins or ends: it belongs on the missing list meanwhile.
    static let beaconTestTrigger = Trigger.touching(
        "beacon_tested", "UPDATE OF tested_until ON identity", "SELECT NEW.beacon AS beacon")

    /// Where owners have left their bikes: one place for each bike.
    static let parkedBikes = Table(
        "bike",
        """
        parked INTEGER
        parked_latitude REAL
        parked_longitude REAL
        parked_accuracy REAL
        INDEX bike_parked (parked) WHERE parked IS NOT NULL
        """)

    /// Note the beacons whose place on the missing list a change of a bike or of a test may change.
    static let bikeTriggers: [Trigger] = [
        .touching(
            "bike_updated", "UPDATE OF beacon ON bike", "SELECT OLD.beacon AS beacon UNION SELECT NEW.beacon"),
        // Its reports are deleted with it, before or after.
        .touching("bike_deleted", "DELETE ON bike", "SELECT OLD.beacon AS beacon"),
        .touching(
            "claim_updated", "UPDATE OF test_ends ON beacon_claim", "SELECT beacon FROM bike WHERE key = NEW.bike"),
        .touching("claim_deleted", "DELETE ON beacon_claim", "SELECT beacon FROM bike WHERE key = OLD.bike"),
    ]
}
