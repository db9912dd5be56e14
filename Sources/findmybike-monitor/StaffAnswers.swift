import Monitor
import RegistryAPI

/// Takes what staff say of an alarm, from wherever they say it.
struct StaffAnswers: Sendable {
    let outbox: Outbox
    let venue: Venue
    let signal: ReportSignal

    /// - Returns: whether there is an alarm for this visit.
    func take(_ visit: String, isSeen: Bool) async throws -> Bool {
        guard let id = VisitID(visit),
            try await outbox.answer(id, isSeen ? .seen : .absent, at: venue.clock.wallTime)
        else { return false }
        venue.events.send("alarm-answered", ["visit": visit, "answer": isSeen ? "seen" : "absent"])
        signal.send()
        return true
    }
}
