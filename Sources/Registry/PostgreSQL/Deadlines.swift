/// How long the database may take. When a deadline passes, the connection is closed; nothing is ever cancelled: a
/// cancelled commit that waits for the standby is reported as done.
package struct Deadlines: Sendable, Hashable {
    /// For connecting to all hosts and asking which one is the primary.
    package var connect: Duration
    /// For a statement, a pipeline or a commit; between two rows if they are fetched one by one.
    package var roundTrip: Duration

    package init(connect: Duration = .seconds(5), roundTrip: Duration = .seconds(5)) {
        self.connect = connect
        self.roundTrip = roundTrip
    }
}
