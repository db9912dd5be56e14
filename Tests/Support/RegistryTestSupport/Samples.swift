public import Beacons
public import RegistryAPI
public import RegistryRules

/// Ordinary values for tests in which they do not matter.
public enum Samples {
    public static let bike = BikeDraft(kind: .bicycle, make: "Brompton", model: "C Line", colours: [.green])

    public static let place = Place(latitude: 51.5, longitude: -0.12, accuracy: 10)

    public static let webhook = ChannelDraft(kind: .webhook, address: "https://example.org/hook")

    public static func identity(_ minor: UInt16) -> BeaconIdentity {
        BeaconIdentity(uuid: ProximityUUID(high: 0x494E_5445_4C4C_495F, low: 7), major: 1, minor: minor)
    }

    public static func visit(
        _ number: UInt64 = 1, stay: UInt64? = nil, of identity: BeaconIdentity = identity(1), from first: Timestamp,
        lasting duration: Duration = .seconds(60)
    ) -> Visit {
        Visit(
            id: VisitID(high: 1, low: number), stay: StayID(high: 2, low: stay ?? number), identity: identity,
            firstSeen: first, lastSeen: first.advanced(by: duration), count: 5,
            rssi: SignalStrength(min: -80, max: -60), measuredPower: -59, proximity: .near, place: nil, ended: false
        )
    }

    /// An alert about a sighting at noon, for a channel with this address.
    public static func alert(
        _ number: UInt64 = 1, of owner: OwnerID = OwnerID(high: 8, low: 1), attempt: Int = 1, created: Timestamp,
        url: String = "https://example.org/hook"
    ) -> ClaimedAlert {
        ClaimedAlert(
            id: AlertID(high: 3, low: number), owner: owner, attempt: attempt, created: created,
            channel: ClaimedAlert.Target(
                id: ChannelID(high: 4, low: 1), kind: .webhook, address: url,
                secret: SigningSecret(bytes: Array(0..<32))
            ),
            content: .sighting(sightingContent(seen: created))
        )
    }

    public static let bikeSummary = SightingAlert.BikeSummary(
        id: BikeID(high: 5, low: 1), kind: .motorbike, make: "Triumph", model: "Bonneville"
    )

    public static func sightingContent(seen: Timestamp) -> ClaimedAlert.SightingContent {
        ClaimedAlert.SightingContent(bike: bikeSummary, policeReference: "CRIME-7", sighting: sighting(seen: seen))
    }

    public static func sighting(seen: Timestamp) -> Sighting {
        Sighting(
            id: VisitID(high: 1, low: 1), report: ReportID(high: 6, low: 1),
            station: Sighting.StationSummary(id: StationID(high: 7, low: 1), name: "Café Sprocket"), place: place,
            firstSeen: seen, lastSeen: seen, received: seen, count: 2, rssi: SignalStrength(min: -70, max: -60),
            proximity: .near, ended: false, timeUncertain: false
        )
    }
}
