extension Schema {
    /// Requests of people who feel followed. They refer to no owner and no bike: the beacon is looked up when an
    /// operator reads them.
    static let safetyRequests = Table(
        "safety_request",
        """
        key IDENTITY
        id BLOB(16) NOT NULL UNIQUE
        -- Of the secret in the address of its page.
        digest BLOB(32) NOT NULL UNIQUE
        -- What the beacon sent; NULL if nobody has read it.
        beacon BLOB(20)
        text TEXT NOT NULL
        -- The network that it came from, as numbers that are valid for one day (FinderNetwork).
        subscriber INTEGER NOT NULL
        area INTEGER NOT NULL
        received INTEGER NOT NULL
        closed INTEGER
        answer TEXT
        INDEX safety_request_network (subscriber, received)
        INDEX safety_request_open (id) WHERE closed IS NULL
        INDEX safety_request_area (area) WHERE closed IS NULL
        INDEX safety_request_received (received) WHERE closed IS NULL
        INDEX safety_request_closed (closed) WHERE closed IS NOT NULL
        """)

    /// The texts about an operator's stop of searches for a beacon (`identity.stopped`).
    static let searchStops = Table(
        "search_stop",
        """
        beacon BLOB PRIMARY KEY REFERENCES identity
        -- Whose bike had the beacon then; nobody else reads it.
        owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
        -- NULL if the stop is older than the owner's bike.
        reason TEXT
        objection TEXT
        objected INTEGER
        answer TEXT
        answered INTEGER
        INDEX search_stop_owner (owner)
        INDEX search_stop_objected (beacon) WHERE objected IS NOT NULL AND answered IS NULL
        """)

    /// Kept with the beacon, so that neither another owner nor an erased account gives a stop more objections.
    static let objectionCounts = Table(
        "identity",
        """
        -- The objections to the current stop, by all owners.
        objections INTEGER NOT NULL DEFAULT 0
        """)
}
