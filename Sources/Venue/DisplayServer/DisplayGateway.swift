public import OperatingSystem
public import VenueStatus

/// A proxy in front of displays that has authenticated its users, such as Home Assistant's ingress. Through it, screens
/// need no code and no cookie; no other address may connect.
public struct DisplayGateway: Sendable {
    let address: NetworkAddress
    /// The monitor's state, for the people who look after the station.
    let status: @Sendable () async -> [StatusTopic]

    public init(_ address: NetworkAddress, status: @escaping @Sendable () async -> [StatusTopic]) {
        self.address = address
        self.status = status
    }
}
