public import OperatingSystem
import RegistryAPI
import StationStatus

/// Accepts staff's answers to alarms, from the status socket or the venue's broker.
public struct StaffAnswers: Sendable {
    public let outbox: Outbox
    let venue: Venue
    let signal: WakeUp

    /// - Parameter signal: wakes the reporter.
    public init(outbox: Outbox, venue: Venue, signal: WakeUp) {
        self.outbox = outbox
        self.venue = venue
        self.signal = signal
    }

    /// Stores an answer, which is then reported.
    ///
    /// - Parameter visit: the visit's identifier, which may be any text.
    /// - Returns: whether there is an alarm for this visit.
    func take(_ visit: String, isSeen: Bool) async throws -> Bool {
        let answer = isSeen ? VisitConfirmation.Answer.seen : .absent
        guard let id = VisitID(visit), try await outbox.answer(id, answer, at: venue.clock.wallTime) else {
            return false
        }
        venue.events.send("alarm-answered", ["visit": visit, "answer": answer.rawValue])
        signal.wake()
        return true
    }
}
