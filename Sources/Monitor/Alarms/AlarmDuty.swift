public import Concurrency
import RegistryAPI

/// When the registry's answers ring at the venue, and which bells they wake.
///
/// An answer is the exact check; a list older than an hour, or a bike that was last heard a while ago, is too old for
/// anybody to go and look.
public struct AlarmDuty: Sendable {
    static let maximumListAge = Duration.seconds(3600)
    /// A visit that goes on is written every five minutes, or a minute later.
    static let maximumVisitAge = Duration.seconds(900)

    private let list: CurrentList?
    private let bells: [WakeUp]

    /// - Parameter bells: woken when there is an alarm.
    public init(list: CurrentList, bells: [WakeUp] = []) {
        self.list = list
        self.bells = bells
    }

    private init() {
        list = nil
        bells = []
    }

    /// No alarm ever rings.
    public static let none = AlarmDuty()

    /// The visits of which an answer rings.
    func current(_ pending: [Outbox.Pending], by clock: StationClock) -> Set<VisitID> {
        guard let age = list?.age, age <= Self.maximumListAge else { return [] }
        return Set(pending.filter { clock.age(of: $0.kept) <= Self.maximumVisitAge }.map(\.visit.id))
    }

    func wake() {
        for bell in bells { bell.wake() }
    }
}
