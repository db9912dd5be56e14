import OperatingSystem
import Testing

@Suite("Addresses with a port")
struct EndpointTests {
    @Test(
        "an address with a port is read",
        arguments: ["192.168.1.20:8090", "0.0.0.0:8090", "[fd00:0:0:0:0:0:0:20]:8090"])
    func read(text: String) throws {
        let endpoint = try #require(Endpoint(text))
        #expect(endpoint.description == text && endpoint.port == 8090)
        #expect(endpoint.isEveryAddress == text.hasPrefix("0.0.0.0"))
    }

    @Test(
        "names, ports that need rights and anything else are refused",
        arguments: [
            "", ":8090", "localhost:8090", "192.168.1.20", "192.168.1.20:80", "192.168.1.20:65536", "fd00::20:8090",
            "[192.168.1.20]:8090", "[fd00::20:8090", "192.168.1.20:+8090", "1.2.3:8090",
        ])
    func refuse(text: String) {
        #expect(Endpoint(text) == nil)
    }
}
