import Settings

/// Every setting of the monitor.
enum MonitorSettings {
    static let registryURL = Setting.httpURL("registry.url", "The registry’s address.")
    static let certificateAuthority = Setting.path(
        "registry.certificateAuthority",
        "PEM file of the authority behind the registry’s certificate, where it is not a public one."
    )
    static let tokenFile = Setting.path(
        "station.tokenFile",
        default: "/etc/findmybike/station-token",
        "File with the station’s token, as ‘findmybike station enrol’ writes it."
    )
    static let latitude = Setting.number(
        "station.latitude", in: -90...90, unit: "degrees north", "Where the station stands."
    )
    static let longitude = Setting.number(
        "station.longitude", in: -180...180, unit: "degrees east", "Where the station stands."
    )
    static let accuracy = Setting.number(
        "station.accuracy", in: 0...10_000, unit: "metres", "How exactly the place is known."
    )
    static let stateFolder = Setting.path(
        "state",
        default: "/var/lib/findmybike-monitor",
        "Folder for the outbox and the missing list; it must exist."
    )
    static let listInterval = Setting.integer(
        "list.interval", in: 1...3600, unit: "seconds", default: 60, "Time between two questions for the missing list."
    )
    static let enterFrames = Setting.integer(
        "presence.enterFrames", in: 1...1000, unit: "frames", default: 2,
        "How many frames begin a visit."
    )
    static let enterWithin = Setting.integer(
        "presence.enterWithin", in: 1...3600, unit: "seconds", default: 10,
        "Within what time these frames must be heard."
    )
    static let lostAfter = Setting.integer(
        "presence.lostAfter", in: 10...86_400, unit: "seconds", default: 180,
        "How long a beacon must be silent for its visit to end."
    )
    static let logLevel = Setting.choice(
        "log.level", of: ["trace", "debug", "info", "notice", "warning", "error"], default: "info",
        "The least urgent messages that are logged."
    )

    static let all: [any SettingDefinition] = [
        registryURL, certificateAuthority, tokenFile, latitude, longitude, accuracy, stateFolder, listInterval,
        enterFrames, enterWithin, lostAfter, logLevel,
    ]
}
