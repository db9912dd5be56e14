extension Schema {
    /// Photos of bikes. Their pictures are elsewhere: in files beside an SQLite database, or in a table that only
    /// PostgreSQL has.
    static let photos: [Table] = [
        Table(
            "photo",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE
            -- The place in the owner's order.
            position INTEGER NOT NULL
            -- The random name of the pictures.
            name BLOB(16) NOT NULL UNIQUE
            width INTEGER NOT NULL
            height INTEGER NOT NULL
            bytes INTEGER NOT NULL
            created INTEGER NOT NULL
            INDEX photo_bike (bike, position)
            """),
        // Photos whose pictures are still to be deleted, however the photo was removed.
        Table("photo_removed", "name BLOB(16) PRIMARY KEY"),
        // An owner's uploads in the last hour.
        Table(
            "photo_upload",
            """
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
            time INTEGER NOT NULL
            INDEX photo_upload_owner (owner, time)
            INDEX photo_upload_time (time)
            """),
    ]

    /// Note the pictures that are to be deleted with a photo.
    static let photoTriggers: [Trigger] = [
        Trigger(
            "photo_deleted", "AFTER DELETE ON photo",
            "INSERT INTO photo_removed (name) VALUES (OLD.name) ON CONFLICT DO NOTHING;")
    ]

    /// A restored backup must not show a photo to staff whose owner no longer allows it.
    static let staffPhotoTriggers: [Trigger] = [
        .revoking(
            "staff_consent", of: "photo", at: "DELETE", when: "OLD.staff_consent IS NOT NULL AND \(Trigger.hasBike)"),
        .revoking(
            "staff_consent", of: "photo", at: "UPDATE OF staff_consent",
            when: "OLD.staff_consent IS NOT NULL AND NEW.staff_consent IS DISTINCT FROM OLD.staff_consent"),
    ]
}
