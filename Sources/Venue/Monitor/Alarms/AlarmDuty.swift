public import OperatingSystem
import RegistryAPI

/// Decides which of the registry's responses raise alarms at the venue, and wakes the bells.
///
/// Only the registry's response is an exact match. A list older than an hour, or a bike that was last heard a while
/// ago, is too old to send staff to look.
public struct AlarmDuty: Sendable {
    /// The maximum time since the registry confirmed the list.
    static let maximumListAge = Duration.seconds(3600)
    /// The maximum time since the bike was heard. A continuing visit is written every five minutes, or up to a minute
    /// later.
    static let maximumVisitAge = Duration.seconds(900)

    /// Nil for a duty that never raises an alarm.
    private let list: CurrentList?
    private let bells: [WakeUp]

    /// - Parameter bells: the bells to wake when there is an alarm.
    public init(list: CurrentList, bells: [WakeUp] = []) {
        self.list = list
        self.bells = bells
    }

    private init() {
        list = nil
        bells = []
    }

    /// A duty that never raises an alarm.
    public static let none = AlarmDuty()

    /// The visits recent enough to raise an alarm; none if the list is too old.
    func current(_ pending: [Outbox.Pending], by clock: StationClock) -> Set<VisitID> {
        guard let age = list?.age, age <= Self.maximumListAge else { return [] }
        return Set(pending.filter { clock.age(of: $0.kept) <= Self.maximumVisitAge }.map(\.visit.id))
    }

    /// Wakes all bells, after an alarm was stored.
    func wake() {
        for bell in bells { bell.wake() }
    }
}
