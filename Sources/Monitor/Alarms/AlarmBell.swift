/// One way in which the venue's staff are told.
public protocol AlarmBell: Sendable {
    /// Never changes: whom an alarm has reached is remembered under it.
    var name: String { get }

    /// Tells the staff.
    ///
    /// - Throws: where they could not be told and should be later.
    func ring(_ alarm: Alarm) async throws
}
