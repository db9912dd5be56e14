import PostgreSQL

/// The connections of a store: one for changes, some for short queries, and some for long ones. Queries that all
/// stations, owners and processes need do not wait behind a caller’s long query. No connection stays with a primary
/// that was replaced.
struct Pools: Sendable {
    /// The number of connections that run groups of short queries.
    static let readers = 2

    /// For changes.
    let writing: ConnectionPool
    /// For short queries, the look-ups of tokens, and separate short statements.
    let reading: ConnectionPool
    /// For callers’ long queries, such as exports.
    let readingAtLength: ConnectionPool
    /// For the full missing list, photos and journals.
    let sharing: ConnectionPool
    /// Shared by all connections of this process.
    let timelines: Timelines
    private let watch: PrimaryWatch

    /// - Parameter patience: how long to wait for a reply from the server, or for a connection.
    init(_ settings: ConnectionSettings, patience: Duration) {
        let timelines = Timelines()
        self.timelines = timelines
        watch = PrimaryWatch(settings, timelines: timelines)
        func pool(
            _ label: String, connections: Int, _ patience: Duration, waiting: Duration? = nil
        ) -> ConnectionPool {
            var settings = settings
            settings.session.merge(Self.timeouts(patience)) { $1 }
            return ConnectionPool(
                settings, Deadlines(roundTrip: patience),
                limits: ConnectionPool.Limits(connections: connections, waitingTime: waiting ?? patience),
                timelines: timelines, label: label)
        }
        writing = pool("registry.writer", connections: 1, patience)
        // Under load, the lanes of queries and of look-ups keep their connections, so there is one more for all others.
        reading = pool("registry.reader", connections: Self.readers + 2, patience)
        // Long queries that only read do not hold up others, and their callers may be slow.
        let long = max(patience, .seconds(60))
        readingAtLength = pool("registry.long-reader", connections: 2, long, waiting: long / 2)
        sharing = pool("registry.sharing", connections: 2, long, waiting: long / 2)
    }

    /// The wait for a lock is shorter than that for a reply, so that the connection survives. A process that stops in
    /// the middle of a transaction, or whose machine is lost, must not hold up the others for long.
    private static func timeouts(_ patience: Duration) -> [String: String] {
        let milliseconds = patience.components.seconds * 1000
        return [
            "lock_timeout": "\(milliseconds / 5 * 4)ms", "idle_in_transaction_session_timeout": "\(milliseconds)ms",
        ]
    }

    /// The server's settings for each connection.
    static let session = [
        "search_path": "public,pg_temp",
        // Statements are short and repeated: their plans do not depend on the values.
        "jit": "off",
    ]

    /// Finishes the work in progress, and closes all connections; returns immediately if the task is cancelled.
    func shutDown() async {
        async let ends: [Void] = [
            writing.shutDown(), reading.shutDown(), readingAtLength.shutDown(), sharing.shutDown(),
        ]
        _ = await ends
        await watch.stop()
    }
}
