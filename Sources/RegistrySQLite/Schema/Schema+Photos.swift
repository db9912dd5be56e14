// Photos of bikes. Their pictures are files beside the database, or in a backup rows of ``PhotoBackup``.
extension Schema {
    static let photos = [
        """
        CREATE TABLE photo (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE,
            -- The place in the owner's order.
            position INTEGER NOT NULL,
            -- The random name of the pictures.
            name BLOB NOT NULL UNIQUE CHECK (length(name) = 16),
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            created INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX photo_bike ON photo (bike, position)",
        // Photos whose pictures are still to be deleted, however the photo was removed.
        "CREATE TABLE photo_removed (name BLOB PRIMARY KEY CHECK (length(name) = 16)) STRICT, WITHOUT ROWID",
        """
        CREATE TRIGGER photo_deleted AFTER DELETE ON photo
        BEGIN INSERT OR IGNORE INTO photo_removed (name) VALUES (OLD.name); END
        """,
        // An owner's uploads in the last hour.
        """
        CREATE TABLE photo_upload (
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
            time INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX photo_upload_owner ON photo_upload (owner, time)",
        "CREATE INDEX photo_upload_time ON photo_upload (time)",
    ]
}
