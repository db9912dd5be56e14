extension Schema {
    /// Sightings: visits as the registry stores them.
    static let sightings: [Table] = [
        // Owners page by the key, so that the key of a deleted row must not be assigned again. The place is what the
        // station reported; its place by enrolment is in station_place. revision is the number of the report's change
        // that last wrote the row; reasons are bits in the order of SightingReason. There is no index by report and
        // key: it would slow down every sighting, and a report's keys are quick to sort.
        Table(
            "sighting",
            """
            key IDENTITY AUTOINCREMENT
            station INTEGER NOT NULL REFERENCES station
            visit BLOB(16) NOT NULL
            stay BLOB(16) NOT NULL
            beacon BLOB(20) NOT NULL
            report INTEGER NOT NULL REFERENCES report ON DELETE CASCADE
            received INTEGER NOT NULL
            revision INTEGER NOT NULL
            reasons INTEGER NOT NULL
            dismissed INTEGER
            acknowledged INTEGER
            -- The first sighting of those that share an alert with this one.
            thread INTEGER REFERENCES sighting ON DELETE SET NULL
            first_seen INTEGER NOT NULL
            last_seen INTEGER NOT NULL
            count INTEGER NOT NULL
            rssi_min INTEGER
            rssi_max INTEGER
            measured_power INTEGER NOT NULL
            proximity TEXT NOT NULL
            latitude REAL
            longitude REAL
            accuracy REAL
            ended INTEGER NOT NULL
            time_uncertain INTEGER NOT NULL
            answer TEXT
            answered INTEGER
            -- The salt of the sighting's record, and the audit's entry that contains the record's digest.
            salt BLOB
            entry INTEGER
            -- The recorded values of an ongoing visit (Growth), and the time since which the row contains more; NULL
            -- if both agree.
            recorded TEXT
            grown INTEGER
            -- The receiver that heard the visit best.
            receiver TEXT
            receiver_latitude REAL
            receiver_longitude REAL
            receiver_accuracy REAL
            -- The slot that was heard, and the first stay of those that the visit goes on with.
            slot INTEGER
            continues BLOB
            UNIQUE (station, visit, report)
            CHECK ((latitude IS NULL) = (longitude IS NULL))
            CHECK ((rssi_min IS NULL) = (rssi_max IS NULL))
            CHECK ((answer IS NULL) = (answered IS NULL))
            INDEX sighting_revision (report, revision)
            INDEX sighting_neighbours (report, station, last_seen)
            INDEX sighting_thread (thread) WHERE thread IS NOT NULL
            INDEX sighting_stay (station, stay)
            INDEX sighting_grown (grown) WHERE grown IS NOT NULL
            INDEX sighting_here (station, last_seen) WHERE ended = 0
            -- The reasons that contradict a sighting are bits 2 to 7 and 10.
            INDEX sighting_disputed (received, reasons) WHERE (reasons & 1276) <> 0
            INDEX sighting_slot (report, slot, key) WHERE slot IS NOT NULL
            """)
    ]

    /// The reports whose sightings are judged again (``ReportJudgements``).
    static let reportJudgements = Table(
        "report_judgement",
        """
        report INTEGER PRIMARY KEY REFERENCES report ON DELETE CASCADE
        began INTEGER NOT NULL
        -- The earliest and the latest time of a last hearing that is judged.
        first_heard INTEGER NOT NULL
        last_heard INTEGER NOT NULL
        -- The station, the last hearing and the key of the sighting that was judged last.
        station INTEGER NOT NULL
        heard INTEGER NOT NULL
        sighting INTEGER NOT NULL
        -- Whether to begin again at the end.
        again INTEGER NOT NULL
        """)
}
