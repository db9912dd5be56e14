import Beacons
public import RegistryAPI
public import Scanning
public import StationStatus

/// The content of the displays that this monitor serves itself: the bikes of its alarms that are still here.
///
/// A bike that arrives while the registry cannot be reached is not shown: only the registry knows what the bike looks
/// like, and whether its owner lets staff see that.
public struct MonitorDisplaySource: DisplaySource {
    /// A receiver that heard nothing for this long does not work.
    private static let silence = Duration.seconds(900)
    /// After this long without the registry, the station counts as having no connection: bikes that arrive are not
    /// shown.
    private static let outage = Duration.seconds(120)

    let staff: StaffAnswers
    let list: CurrentList
    let listing: ListStatus
    /// The current radios, which may change.
    let radios: @Sendable () -> [any RadioScanner]
    /// Whom staff should call, from the venue's settings; nil to show the contact of the registry's operator.
    let contact: String?
    /// Whether a capture or a simulation is played, which has no radios.
    let isPlaying: Bool

    public init(
        staff: StaffAnswers, list: CurrentList, listing: ListStatus,
        radios: @escaping @Sendable () -> [any RadioScanner], contact: String? = nil, isPlaying: Bool = false
    ) {
        self.staff = staff
        self.list = list
        self.listing = listing
        self.radios = radios
        self.contact = contact
        self.isPlaying = isPlaying
    }

    /// The bikes that are here, and whether the station hears.
    public func view(_ terms: DisplayTerms) async throws -> DisplayView {
        let time = staff.venue.clock.wallTime
        let bikes = try await staff.outbox.alarms(limit: 200).compactMap { bike($0, at: time) }
        return DisplayView(
            station: terms.station, time: time, health: await health(at: time), contact: contact ?? terms.contact,
            bikes: Array(bikes.prefix(DisplayRules.mostBikes)), more: max(0, bikes.count - DisplayRules.mostBikes))
    }

    /// The same answer again changes nothing.
    public func answer(_ visit: VisitID, _ answer: VisitConfirmation.Answer) async throws -> Bool {
        let alarm = try await staff.outbox.alarms(limit: 200).first { $0.id == visit }
        guard let alarm else { return false }
        return alarm.confirmation?.answer == answer
            ? true : try await staff.take("\(visit)", isSeen: answer == .seen)
    }

    /// An alarm's bike; nil if it is no longer here.
    private func bike(_ alarm: Alarm, at time: Timestamp) -> DisplayedBike? {
        let kept = alarm.kept
        // A stay may continue in a later visit, of which only the end would be known.
        let age = kept.visit.ended ? .zero : max(.zero, staff.venue.clock.age(of: kept))
        guard alarm.isPresent, age <= DisplayRules.presence else { return nil }
        let heard = time.advanced(by: .zero - age)
        return DisplayedBike(
            visit: alarm.id, since: min(heard, staff.venue.clock.firstHeard(kept)), lastHeard: heard,
            proximity: kept.visit.proximity, lookFor: alarm.lookFor, answer: alarm.confirmation,
            receiver: kept.visit.receiver?.name)
    }

    /// Whether the station hears and knows what is missing.
    public func health() async -> StationHealth { await health(at: staff.venue.clock.wallTime) }

    /// The worst of the station's troubles: no radio hears, the registry is silent, the list is old.
    private func health(at time: Timestamp) async -> StationHealth {
        let now = staff.venue.clock.now
        let contact = list.age.map { time.advanced(by: .zero - max(.zero, $0)) }
        var hears = isPlaying
        for radio in radios() {
            let health = await radio.radioHealth
            let silence = health.lastReport.map { max(.zero, $0.duration(to: now)) } ?? .zero
            hears = hears || (health.state == .scanning && silence < Self.silence)
        }
        let failing = listing.state.failingSince.map { $0.duration(to: now) } ?? .zero
        let state: StationHealth.State =
            if !hears {
                .deaf
            } else if failing >= Self.outage {
                .silent
            } else if list.age.map({ $0 > AlarmDuty.maximumListAge }) ?? true {
                .outdated
            } else {
                .listening
            }
        return StationHealth(state: state, contact: contact)
    }
}
