/// Identities that many beacons share because manufacturers and tutorials use them: they do not distinguish bikes.
///
/// Estimote's B9407F30-F5F8-466E-AFF9-25556B57FE6D and Kontakt.io's F7826DA6-4FA2-4E98-8024-BC5B71E0893E are
/// deliberately not listed: these manufacturers number each beacon (support.kontakt.io, “iBeacon Parameters”), so that
/// the whole identity is unique.
public enum WellKnownIdentities {
    /// Where an identity is known from, in words; nil if it is not well known.
    public static func origin(of identity: BeaconIdentity) -> String? {
        wholeUUIDs[identity.uuid.description] ?? triples[identity.description]
    }

    /// UUIDs that are shared regardless of major and minor.
    private static let wholeUUIDs: [String: String] = [
        "00000000-0000-0000-0000-000000000000": "an unset beacon",
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF": "an unset beacon",
        // Apple's sample code “AirLocate”; also the factory setting of Minew, Ankhmaway and RedBear beacons.
        "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0": "Apple’s AirLocate sample, Minew, RedBear",
        "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5": "Apple’s AirLocate sample",
        // Also the factory setting of HM-10 modules (Jinan Huamao, HM-10 data sheet, AT+IBE0…3).
        "74278BDA-B644-4520-8F0C-720EAF059935": "Apple’s AirLocate sample, HM-10",
        // WeChat's “shake nearby”; the factory setting of Feasycom, Minew and Holy-IOT beacons and of ESP-IDF's
        // ble_ibeacon example, with several majors and minors.
        "FDA50693-A4E2-4FB1-AFCF-C6EB07647825": "WeChat, FeasyBeacon, Minew, ESP-IDF’s example",
        // Radius Networks: the Android Beacon Library's examples, and RadBeacon (“RADIUSNETWORKSCO” in ASCII).
        "2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6": "Radius Networks, Android Beacon Library’s example",
        "52414449-5553-4E45-5457-4F524B53434F": "Radius Networks’ RadBeacon",
        // Nordic Semiconductor's SDK, example ble_app_beacon.
        "01122334-4556-6778-899A-ABBCCDDEEFF0": "Nordic’s SDK example",
        // The Arduino core for ESP32, example BLE_iBeacon, in which major and minor count the starts.
        "8EC76EA3-6668-48DA-9866-75BE8BC86F4D": "ESP32’s Arduino example",
        // Tutorials that turn a Raspberry Pi into a beacon.
        "636F3F8F-6491-4BEE-95F7-D8CC64A863B5": "Raspberry Pi tutorials",
        // MactsAsBeacon and the tools derived from it.
        "B0702880-A295-A8AB-F734-031A98A512DE": "MactsAsBeacon",
    ]

    /// Identities that are shared only in this combination.
    private static let triples: [String: String] = [
        // Used by forty-two transmitters in a public radio data set.
        "9195B3AD-A9D0-4500-85FF-9FB0F65A5201:0:0": "an unset beacon",
        // Aruba's location beacons before they are configured.
        "4152554E-F99B-4A3B-86D0-947070693A78:0:0": "Aruba",
    ]
}
