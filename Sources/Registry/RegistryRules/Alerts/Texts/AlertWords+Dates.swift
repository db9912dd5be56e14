import Languages
import RegistryAPI

extension AlertWords {
    /// A date, such as “21 November 2026”.
    func date(_ date: CalendarDate) -> String {
        let day = date.dayOfMonth == 1 ? firstDay : "\(date.dayOfMonth)"
        let month = months.indices.contains(date.month - 1) ? months[date.month - 1] : ""
        return self.date(day: day, month: month, year: "\(date.year)")
    }

    /// A time, such as “on 21 November 2026 at 13:00 (Europe/Berlin, UTC+1)”.
    func moment(_ clock: LocalClock, zone: String) -> String {
        moment(date: date(clock.date), time: clock.text, zone: zone)
    }
}

extension BikeName {
    init(_ bike: SightingAlert.BikeSummary?) {
        self.init(kind: bike?.kind ?? .other, name: bike.map { "\($0.make) \($0.model)" } ?? "")
    }
}
