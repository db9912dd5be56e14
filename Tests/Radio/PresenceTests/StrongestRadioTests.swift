import Beacons
import Presence
import Testing

/// The owner of a bike should look where it is heard best.
@Suite("The radio of the strongest frame")
struct StrongestRadioTests {
    /// Observes frames, one a second, and returns the radio of the visit afterwards.
    private func radio(_ frames: [(String?, Int8?)], in tracker: inout PresenceTracker) -> String? {
        for (radio, rssi) in frames {
            let second = Double(tracker.counters.frames + 200)
            _ = tracker.observe(.bike(1), rssi: rssi, at: .at(second), by: radio)
        }
        return tracker.openVisits.first?.radio
    }

    @Test(
        "a stronger frame names its radio, an equal or weaker one does not",
        arguments: [
            ([("bar", -70)], "bar"), ([("bar", -70), ("door", -60)], "door"),
            ([("bar", -70), ("door", -70)], "bar"), ([("bar", -60), ("door", -70)], "bar"),
            ([("bar", nil), ("door", nil)], "bar"), ([("bar", nil), ("door", -90), ("yard", nil)], "door"),
            ([("bar", -70), (nil, -60)], nil),
        ] as [([(String?, Int8?)], String?)])
    func strongest(frames: [(String?, Int8?)], expected: String?) {
        var tracker = PresenceTracker()
        #expect(radio(frames, in: &tracker) == expected)
    }

    @Test("the frames that opened a visit count, too")
    func opening() throws {
        var tracker = try PresenceTracker.pairs()
        #expect(radio([("bar", -60), ("door", -70)], in: &tracker) == "bar")
    }

    @Test("a visit keeps its radio over a restart")
    func resumed() throws {
        var tracker = PresenceTracker()
        let visit = VisitSnapshot(
            number: 1, stay: 1, identity: IBeacon.bike(1).identity, first: .at(0), last: .at(100), frames: 9,
            rssi: -80 ... -60, measuredPower: -59, nearest: .near, radio: "bar")
        try tracker.resume([visit], at: .at(150))
        #expect(radio([("door", -61)], in: &tracker) == "bar")
        #expect(radio([("door", -59)], in: &tracker) == "door")
    }

    @Test("the next visit of a stay names the radio that hears the bike then")
    func cut() {
        var tracker = PresenceTracker()
        for minute in 0...1441 {
            let (rssi, radio): (Int8, String) = minute < 1440 ? (-50, "bar") : (-90, "door")
            _ = tracker.observe(.bike(1), rssi: rssi, at: .at(Double(minute) * 60), by: radio)
        }
        let open = tracker.openVisits
        #expect(open.map(\.radio) == ["door"] && open.map(\.number) == [2])
    }
}
