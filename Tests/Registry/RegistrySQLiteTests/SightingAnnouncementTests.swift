import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistrySQL

@Suite("Announcements of sightings")
struct SightingAnnouncementTests {
    private static let now = Timestamp(milliseconds: 1_795_000_000_000)

    /// A webhook.
    ///
    /// - Parameter wait: the minutes that it waits for an acknowledgement.
    private static func channel(after wait: Int? = nil) -> AlertChannel {
        AlertChannel(key: 1, kind: "webhook", after: wait, zone: nil, quietHours: nil)
    }

    private static func ago(_ seconds: Int) -> Timestamp { now.advanced(by: .seconds(-seconds)) }

    /// How a sighting that was heard for the last minute is announced.
    ///
    /// - Parameter thread: of an earlier sighting of the same stay.
    private func announcement(
        continuing thread: Int64? = nil, channels: [AlertChannel] = [channel()],
        after history: AlertRules.History = AlertRules.History()
    ) throws -> SightingAnnouncement {
        let visit = Samples.visit(from: Self.ago(60))
        let station = RecordingStation(
            key: 1, id: StationID(high: 1, low: 1), venue: "Café", isMobile: false, isApp: false,
            places: [(since: 0, place: Samples.place)])
        let bike = MissingBike(
            key: 1, report: 1, ownerID: OwnerID(high: 1, low: 1), bikeID: BikeID(high: 1, low: 1),
            reportID: ReportID(high: 1, low: 1), appearance: nil,
            period: OpenPeriod(missingSince: Self.ago(86_400), closed: nil), isShared: true, toldLast: nil)
        let part = VisitPart(
            visit: visit, bike: bike, known: nil, causesAlerts: true,
            hour: ReportingHours.Hour(station: 1, of: visit.firstSeen), surroundings: Surroundings(stay: thread))
        let evidence = try station.evidence(visit, reportsEverything: false, slot: nil)
        let candidate = AlertCandidate(
            index: 0, key: 5,
            reported: ReportedVisit(visit: visit, station: station, time: Self.now, entropy: .seeded(1)), part: part,
            evidence: evidence, reasons: [])
        return SightingAnnouncement(of: candidate, on: channels, after: history)
    }

    private static func share(_ count: Int, since seconds: Int) -> AlertRules.StationShare {
        AlertRules.StationShare(since: ago(seconds), count: count)
    }

    @Test("a visit of a stay that the owner knows joins its alert, and changes nothing else")
    func continued() throws {
        let announcement = try announcement(continuing: 3)
        #expect(announcement.thread == 3 && announcement.isHeardLast == nil && announcement.share == nil)
        #expect(announcement.deliveries.isEmpty)
    }

    @Test("without a channel nothing is announced or counted")
    func unheard() throws {
        let announcement = try announcement(channels: [])
        #expect(announcement.thread == nil && announcement.isHeardLast == nil && announcement.share == nil)
        #expect(announcement.deliveries.isEmpty)
    }

    @Test("the first sighting gets an urgent alert, after the wait of the channel, and counts for its station")
    func first() throws {
        let announcement = try announcement(channels: [Self.channel(), Self.channel(after: 15)])
        #expect(announcement.thread == nil && announcement.isHeardLast == true && announcement.isUrgent)
        #expect(announcement.share == AlertRules.StationShare(since: Self.now, count: 1))
        let later = Self.now.advanced(by: .seconds(900))
        #expect(announcement.deliveries.map(\.delivery) == [.alone(at: Self.now), .alone(at: later)])
    }

    @Test("an open share of the station is counted on, and a new one is begun after an hour")
    func shares() throws {
        let counted = try announcement(after: AlertRules.History(station: Self.share(2, since: 60)))
        #expect(counted.share == Self.share(3, since: 60))
        let over = try announcement(after: AlertRules.History(station: Self.share(2, since: 3600)))
        #expect(over.share == Self.share(1, since: 0))
    }

    @Test("once the station's share is used up, the sighting waits for a digest and does not count")
    func digest() throws {
        let used = Self.share(AlertRules.stationShare, since: 600)
        let announcement = try announcement(after: AlertRules.History(station: used))
        #expect(announcement.isHeardLast == true && announcement.share == nil && !announcement.isUrgent)
        let end = Self.ago(600).advanced(by: AlertRules.shareWindow)
        #expect(announcement.deliveries.map(\.delivery) == [.digest(at: end)])
    }

    @Test("a sighting at the place of the last alert joins it, and the report remembers the sighting")
    func joined() throws {
        let last = AlertRules.EarlierAlert(
            thread: 9, place: Samples.place, firstSeen: Self.ago(300), lastSeen: Self.ago(200))
        let history = AlertRules.History(last: last, station: Self.share(1, since: 300))
        let announcement = try announcement(after: history)
        #expect(announcement.thread == 9 && announcement.isHeardLast == true && announcement.share == nil)
        #expect(announcement.deliveries.isEmpty)
    }
}
