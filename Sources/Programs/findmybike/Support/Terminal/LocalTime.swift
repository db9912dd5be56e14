import RegistryAPI
import Terminal

extension Timestamp {
    /// The time in the user's time zone, with the zone.
    var local: String { LocalTime.text(of: self) }
}
