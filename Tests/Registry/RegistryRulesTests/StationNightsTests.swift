import RegistryAPI
import RegistryRules
import Testing

@Suite struct StationNightsTests {
    /// A time on a day of November 2026, in hours UTC.
    private func time(_ day: Int, _ hour: Double) -> Timestamp {
        Timestamp(milliseconds: 1_793_491_200_000 + Int64((Double(day - 1) * 24 + hour) * 3_600_000))
    }

    @Test("a night counts if one station heard the beacon for three hours of it")
    func nights() {
        var nights = StationNights()
        for day in 3...5 {
            nights.add(station: 1, longitude: 0, from: time(day, 22), until: time(day + 1, 3.1))
            nights.add(station: 1, longitude: 0, from: time(day, 12), until: time(day, 20))
        }
        nights.add(station: 1, longitude: 0, from: time(8, 1), until: time(8, 3.9))
        #expect(nights.mostAtOneStation == 3 && nights.stations == 1)
        // Another part of the same night makes it up.
        nights.add(station: 1, longitude: 0, from: time(8, 4), until: time(8, 4.5))
        #expect(nights.mostAtOneStation == 4)
    }

    @Test("midnight is the sun's, at the station", arguments: [(0.0, 0), (-75.0, 1), (120.0, 0)])
    func longitude(degrees: Double, counted: Int) {
        var nights = StationNights()
        // From midnight to four o'clock in New York.
        nights.add(station: 1, longitude: degrees, from: time(3, 5), until: time(3, 9))
        #expect(nights.mostAtOneStation == counted)
    }

    @Test("nights at different stations are not added up, and odd numbers do no harm")
    func stations() {
        var nights = StationNights()
        nights.add(station: 1, longitude: 0, from: time(3, 0), until: time(3, 5))
        nights.add(station: 2, longitude: 0, from: time(4, 0), until: time(4, 5))
        #expect(nights.mostAtOneStation == 1 && nights.stations == 2)
        for longitude in [.nan, .infinity, -1e300] {
            nights.add(
                station: 3, longitude: longitude, from: Timestamp(milliseconds: .min),
                until: Timestamp(milliseconds: .max))
        }
        nights.add(station: 4, longitude: 0, from: time(9, 0), until: time(3, 0))
        // A stay has at most the nights of two weeks.
        nights.add(station: 5, longitude: 0, from: Timestamp(milliseconds: 0), until: time(20, 12))
        #expect(nights.stations == 5 && nights.mostAtOneStation <= 15)
        let signs = MisuseRules.signs(isNew: true, reports: 3, nights: nights)
        #expect(signs == SearchToCheck.Sign.allCases)
        #expect(MisuseRules.signs(isNew: false, reports: 2, nights: StationNights()).isEmpty)
    }
}
