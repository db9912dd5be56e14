import Beacons
import RegistryAPI
import RegistryRules

// Screens at venues.
extension Example {
    static let display = VenueDisplay(
        id: id(20), name: "Counter", created: noon, paired: noon, lastUsed: evening,
        expires: evening.advanced(by: DisplayRules.lifetime))
    static let displayCode = DisplayCode(
        display: display.id, code: "7KQ2M-XW9TC", expires: noon.advanced(by: DisplayRules.codeLifetime),
        link: "https://registry.example.org/display#7KQ2M-XW9TC")
    static let displayView = DisplayView(
        station: station.name, time: evening, health: StationHealth(state: .listening, contact: evening),
        contact: "Police: 020 7946 0000",
        bikes: [
            DisplayedBike(
                visit: visit.id, since: noon, lastHeard: evening, proximity: .near,
                lookFor: BikeAppearance(kind: bike.kind, make: bike.make, model: bike.model, colours: bike.colours),
                answer: VisitConfirmation(answer: .seen, time: evening))
        ])
}
