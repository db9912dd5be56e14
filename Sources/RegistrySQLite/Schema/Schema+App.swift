extension Schema {
    static let app = [
        // Additional data of a bike in the original app: the digest of the secret that updates it, and its colour's
        // name.
        """
        CREATE TABLE app_bike (
            bike INTEGER PRIMARY KEY REFERENCES bike ON DELETE CASCADE,
            secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32),
            colour TEXT NOT NULL
        ) STRICT
        """
    ]
}
