import Foundation

/// A thread with a connection, which it keeps open and lends to one caller after the other.
struct ConnectionWorker: Sendable {
    let settings: ConnectionSettings
    let deadlines: Deadlines
    /// The maximum number of statements that stay prepared.
    let statements: Int
    let timelines: Timelines
    let queue: ConnectionQueue

    /// How often an idle worker checks whether its connection is still there.
    private static let idlePause = Duration.seconds(1)

    /// Starts the thread, which ends when the queue stops.
    ///
    /// - Parameter name: the thread’s name.
    func start(name: String) {
        let thread = Thread {
            work()
            queue.noteEnd()
        }
        thread.name = name
        thread.start()
    }

    /// Opens a connection and serves callers with it, again and again.
    private func work() {
        var backoff = Backoff()
        while !queue.isStopping {
            do {
                let connection = try Connection.open(
                    settings, deadlines, timelines: timelines, statementLimit: statements)
                backoff = Backoff()
                queue.noteOpened()
                serve(connection)
                connection.close()
                queue.noteClosed()
            } catch {
                // Nothing else is thrown.
                queue.note(error as? PostgreSQLError ?? .unavailable("\(error)"))
                queue.pause(backoff.next())
            }
        }
    }

    /// Returns when the connection can no longer be used, or at the end, when no caller is waiting.
    private func serve(_ connection: Connection) {
        while connection.isAlive(), connection.isCurrent {
            guard let job = queue.take(waitingAtMost: Self.idlePause) else {
                if queue.isStopping, queue.waitingCount == 0 { return }
                continue
            }
            guard job.expiry > .now else {
                job.run(.failure(PostgreSQLError(.overloaded, "no connection to the database became free in time")))
                continue
            }
            guard connection.isAlive(), connection.isCurrent else {
                queue.putBack(job)
                return
            }
            job.run(.success(connection))
            do { try connection.rollBack() } catch { connection.close() }
        }
    }
}

/// The pauses between attempts to connect: from 50 to 500 ms, with a random part, so that they do not all come
/// together. The pauses stay short, so that callers get a response soon after a standby is promoted, however long that
/// took.
struct Backoff {
    private var milliseconds = 50

    /// The next pause, which is twice as long as the one before.
    mutating func next() -> Duration {
        defer { milliseconds = min(500, milliseconds * 2) }
        return .milliseconds(Int.random(in: (milliseconds / 2)...milliseconds))
    }
}
