import ArgumentParser
import Beacons
import Presence

/// The options that select the beacons to show.
struct FilterOptions: ParsableArguments {
    @Option(help: "Show only this kind: iBeacon, AltBeacon or Eddystone-UID. Can be repeated.")
    var kind: [BeaconFrame.Kind] = []

    @Option(help: ArgumentHelp("Show only this beacon.", valueName: "uuid:major:minor"))
    var identity: BeaconIdentity?

    @Option(help: ArgumentHelp("Show only beacons with this proximity UUID.", valueName: "uuid"))
    var uuid: ProximityUUID?

    @Option(
        name: .customLong("min-rssi"), parsing: .unconditional,
        help: ArgumentHelp("Show only beacons of at least this smoothed signal strength.", valueName: "dBm")
    )
    var minimumRSSI: Int?

    @Flag(help: "Show only beacons that are immediate or near.")
    var near = false

    /// The filter that all options together make.
    var filter: SurveyFilter {
        var filter = SurveyFilter()
        filter.kinds = Set(kind)
        filter.identity = identity
        filter.uuid = uuid
        filter.minimumRSSI = minimumRSSI
        filter.isNearOnly = near
        return filter
    }
}
