import RegistryAPI
import RegistryClient
import Settings
import Terminal
import Testing

@testable import findmybike

@Suite("Following a trail")
struct TrailDisplayTests {
    @Test("an outage is reported once, and its end once")
    func outage() {
        var outage = Outage()
        let error = RegistryError.unexpectedStatus(502, retryAfter: nil)
        #expect(outage.heard() == nil)
        let since = Timestamp(milliseconds: 0)
        #expect(outage.lost(at: since, error)?.contains("no sightings since") == true)
        #expect(outage.lost(at: .now, error) == nil)
        #expect(outage.heard()?.contains("responding again") == true)
        #expect(outage.heard() == nil)
        #expect(outage.lost(at: since, error) != nil)
    }

    @Test("a place links to the map in the settings, or has no link if they disable it")
    func map() {
        let place = Place(latitude: 51.500724, longitude: -0.124627)
        let map = MapLink(CommandSettings.mapLink.defaultValue)
        #expect(map?.url(of: place) == "https://www.openstreetmap.org/?mlat=51.50072&mlon=-0.12463")
        #expect(MapLink("none") == nil && MapLink(nil) == nil)
    }

    @Test("numbers other than one take the plural")
    func plurals() { #expect([0, 1, 2].map { counted($0, "bike") } == ["0 bikes", "1 bike", "2 bikes"]) }
}
