// What stations heard, and since when a search has been on the missing list without interruption.
extension Schema {
    static let coverage = [
        """
        CREATE TABLE station_coverage (
            key INTEGER PRIMARY KEY,
            station INTEGER NOT NULL REFERENCES station ON DELETE CASCADE,
            -- Days since 1970-01-01, in UTC.
            day INTEGER NOT NULL,
            -- See PackedCoverage.
            quarters BLOB NOT NULL,
            UNIQUE (station, day)
        ) STRICT
        """,
        "CREATE INDEX station_coverage_day ON station_coverage (day)",
        "CREATE INDEX station_place_latitude ON station_place (latitude, longitude)",
        // NULL if the bike was never on the list, or only before this column existed. Kept when the bike is taken off:
        // then sightings_until or closed has the end.
        "ALTER TABLE report ADD COLUMN listed_since INTEGER",
        "UPDATE report SET listed_since = unixepoch() * 1000 WHERE closed IS NULL AND listed",
    ]
}
