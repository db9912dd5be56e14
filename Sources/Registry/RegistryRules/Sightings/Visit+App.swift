public import Beacons
public import RegistryAPI

extension AppBikeDraft {
    /// The colour that is shown if none was given.
    public static let unknownColour = BikeColour.other.rawValue

    /// The identity of the beacon: the app's beacons differ only in the minor.
    public var identity: BeaconIdentity {
        BeaconIdentity(uuid: NetworkRegion.uuid, major: 1, minor: beaconMinor)
    }
}

extension Visit {
    /// A sighting from the original app as a visit of one moment.
    ///
    /// - Parameter identity: the identity of the bike's beacon; nil for a visit that is only validated.
    public init(_ sighting: AppSighting, id: VisitID, identity: BeaconIdentity?) {
        self.init(
            id: id, stay: StayID(high: id.high, low: id.low),
            identity: identity ?? BeaconIdentity(uuid: NetworkRegion.uuid, major: 0, minor: 0),
            firstSeen: sighting.date, lastSeen: sighting.date, count: 1, rssi: nil, measuredPower: 0,
            proximity: .unknown, place: Place(latitude: sighting.latitude, longitude: sighting.longitude), ended: true
        )
    }
}
