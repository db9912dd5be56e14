import Foundation
import Logging
import RegistryPostgreSQL
import RegistryRules
import RegistrySQL
import Settings
import Syntax

/// All settings of the registry: those of messages, of the map and of a registry on the Internet are in extensions. The
/// summary of each is also its documentation.
enum RegistrySettings {
    static let listen = DefaultedSetting(
        Setting(
            "listen", form: "address:port, an IPv6 address in brackets", "Where to listen; port 0 takes any free port.",
            parse: { ListenAddress($0) }
        ),
        default: ListenAddress(host: "127.0.0.1", port: 8080)
    )
    static let database = DefaultedSetting(
        Setting<String>(
            "database", form: "path, or an address as in postgresql://user@host,host/database", isPath: true,
            "The database file, whose folder must exist; or a PostgreSQL database, which several registry processes can share.",
            parse: { $0.isEmpty ? nil : $0 }
        ),
        default: "/var/lib/findmybike-registry/registry.sqlite"
    )
    static let durability = Setting.choice(
        "durability", default: Durability.standby,
        "With PostgreSQL: whether a synchronous standby must store each change before it is confirmed (standby), or there is only one machine (single)."
    )
    static let journal = Setting.path(
        "journal", default: "/var/lib/findmybike-registry/journal",
        "With PostgreSQL: files in which this process notes erasures and revocations, for use after a restore."
    )
    static let givenIdentities = Setting.choice(
        "identities.given", default: GivenIdentityPolicy.closed,
        "Whether owners may register a beacon’s own identity from outside the network region."
    )
    static let ownerRegistration = Setting.choice(
        "owners.registration", default: OwnerRegistration.open,
        "Whether anyone may become an owner, or only people invited by an operator."
    )
    static let newBeaconDays = Setting.integer(
        "owners.newBeaconDays", in: 0...365, unit: "days", default: 7,
        "How long a beacon is new: if its bike is reported missing so soon, it is searched for one day, until an operator has confirmed a police reference or verified the owner."
    )
    static let rotatingBeacons = Setting.choice(
        "beacons.rotatingFor", default: RotatingBeaconPolicy.everyone,
        "Who may have rotating beacons: every owner, or only those whom an operator has verified."
    )
    static let publicURL = Setting.httpURL(
        "publicURL",
        "How people reach this registry from outside; links in messages begin with it, and passkeys are made "
            + "for its host."
    )
    static let allowPrivateAddresses = Setting.flag(
        "webhooks.allowPrivateAddresses", default: false,
        "Whether webhooks may lead to private addresses and use plain http."
    )
    static let allowPrivatePartners = Setting.flag(
        "partners.allowPrivateAddresses", default: false,
        "Whether partner registries may be at addresses that are not public, as in a VPN, or be called through a proxy."
    )
    static let appKey = Setting.text(
        "compatibility.key", isSecret: true,
        "Key of the original app; if set, it enables the app’s collections /bikes and /sightings."
    )
    static let keyFile = Setting.path(
        "evidence.keyFile",
        "The file with the key that signs evidence; ‘findmybike-registry key create --key-file FILE’ makes it."
    )
    static let beaconKeyFile = Setting.path(
        "beacons.keyFile",
        "File with the key that encrypts rotating beacons’ keys, the same for all processes of the registry; ‘findmybike-registry key create-beacons’ makes it."
    )
    static let logLevel = Setting.choice(
        "log.level", of: ["trace", "debug", "info", "notice", "warning", "error"], default: "info",
        "The lowest level of messages to log."
    )

    static let mapLink = Setting(
        "mapLink",
        form: "an address that begins with https:// and contains {latitude} and {longitude}",
        "A map that alerts link to; if not set, they only link to the reader’s own map app.",
        parse: { text in
            let isMap = ["{latitude}", "{longitude}"].allSatisfy { text.has($0) }
            return isMap && text.begins(with: "https://") ? text : nil
        }
    )

    static let displayContact = Setting(
        "displays.contact", form: "a text of 1 to 120 characters",
        "Whom staff at venues should call besides the police, as in “the FindMyBike office on 0161 496 0000”; displays show it.",
        parse: { isLine($0) ? $0 : nil }
    )

    static let operatorName = Setting(
        "operator.name", form: "a text of 1 to 120 characters",
        "Who runs this registry, as in “Findmybike Berlin e. V.”; shown to anyone, also before they sign up.",
        parse: { isLine($0) ? $0 : nil }
    )
    static let operatorContact = Setting(
        "operator.contact", form: "a mailto:, https: or tel: address",
        "Where anyone can reach the operator of this registry, for example the address of its legal notice.",
        parse: { text in contacts(text).flatMap { $0.count == 1 && text.utf8.count <= 200 ? $0[0] : nil } }
    )

    static let ownDisplays = Setting.flag(
        "displays.onVenueNetwork", default: false,
        "Whether stations may serve displays in their venues’ networks, without encryption."
    )

    /// The files that the registry needs in addition to its database.
    static let files = [
        keyFile, beaconKeyFile, apnsKeyFile, apnsAuthority, mailPasswordFile, mailAuthority, webPushKeyFile,
        certificate, key, tileFile,
    ]

    /// In the order in which the documentation lists them.
    static let all: [any SettingDefinition] =
        [
            listen, publicURL, mapLink, database, durability, journal, givenIdentities, ownerRegistration,
            newBeaconDays, rotatingBeacons, allowPrivateAddresses, allowPrivatePartners, appKey, keyFile, beaconKeyFile,
            logLevel,
        ]
        + channels + operation + map + [operatorName, operatorContact, displayContact, ownDisplays]

    /// Whether a text has 1 to 120 characters, and can be shown on one line.
    private static func isLine(_ text: String) -> Bool {
        let isShown = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return (1...120).contains(text.count) && isShown
    }
}
