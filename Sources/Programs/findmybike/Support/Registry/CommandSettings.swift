import Settings
import Syntax

/// All settings of the command line. The summary of each is also its documentation.
enum CommandSettings {
    static let registryURL = Setting.httpURL("registry.url", "The registry’s address.")
    static let certificateAuthority = Setting.path(
        "registry.certificateAuthority",
        "PEM file of the authority behind the registry’s certificate, if it is not a public one."
    )
    static let tokenFile = Setting.path(
        "tokenFile",
        default: "~/.config/findmybike/token",
        "File with the token to use; only its owner may read it."
    )

    static let mapLink = DefaultedSetting(
        Setting(
            "mapLink", form: "an address that contains {latitude} and {longitude}, or none",
            "A map that sightings link to. Nothing is sent there before you open a link.",
            parse: { text in
                let isMap = ["{latitude}", "{longitude}"].allSatisfy { text.has($0) }
                return isMap || text == "none" ? text : nil
            }
        ),
        default: "https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}"
    )

    static let all: [any SettingDefinition] = [registryURL, certificateAuthority, tokenFile, mapLink]
}
