import Beacons
import CommandSupport
import Foundation
import Presence
import Syntax
import Terminal

/// The closest iBeacons, from which a person picks the one on the bike; beacons heard more than once or twice come
/// first.
struct NearbyBeacons {
    /// At most nine.
    let choices: [(beacon: IBeacon, entry: SurveyEntry)]

    /// Beacons beyond these would not be near, and a single digit picks one.
    private static let limit = 9
    /// A beacon with fewer frames may be only passing.
    private static let lastingFrames = 3

    init(_ survey: BeaconSurvey) {
        var filter = SurveyFilter()
        filter.kinds = [.iBeacon]
        // A beacon that claims several powers is still a single beacon.
        var seen: Set<BeaconIdentity> = []
        let strongest = survey.strongest(filter).compactMap { frame, entry in
            if case .iBeacon(let beacon) = frame, seen.insert(beacon.identity).inserted { (beacon, entry) } else { nil }
        }
        // A single frame may be a passing reflection, or a sensor that puts its data into major and minor.
        let lasting = strongest.filter { $0.1.frames >= Self.lastingFrames }
        let fleeting = strongest.filter { $0.1.frames < Self.lastingFrames }
        choices = (lasting + fleeting).prefix(Self.limit).map { (beacon: $0.0, entry: $0.1) }
    }

    /// Prompts at the terminal and reads a line from standard input. Prompts go to standard error, so that standard
    /// output contains only the result.
    func pick() throws(CommandFailure) -> BeaconIdentity {
        guard !choices.isEmpty else {
            throw CommandFailure(
                .unavailable, "no iBeacon was heard: wake the beacon, bring it near, and look with ‘findmybike scan’")
        }
        Table(["", "BEACON", "NEAR", "RSSI", "REMARK"], rows).lines(width: Output.width)
            .forEach { Console.error.line($0) }
        Console.error.prompt("Which one is on the bike? [1–\(choices.count), press Enter to cancel]")
        guard let answer = StandardInput.line()?.trimmingCharacters(in: .whitespaces), !answer.isEmpty else {
            throw CommandFailure(.usage, "nothing was chosen, so nothing was registered")
        }
        guard let number = Int(answer), choices.indices.contains(number - 1) else {
            throw CommandFailure(.usage, "‘\(answer)’ is not one of 1–\(choices.count): nothing was registered")
        }
        let identity = choices[number - 1].beacon.identity
        try Self.confirm(identity)
        return identity
    }

    private var rows: [[String]] {
        choices.enumerated().map { index, choice in
            [
                "\(index + 1)",
                "\(choice.beacon.identity)",
                choice.entry.proximity(at: choice.entry.last).rawValue,
                choice.entry.smoothedRSSI.map { String(format: "%.0f dBm", $0) } ?? "unknown",
                WellKnownIdentities.origin(of: choice.beacon.identity).map { "shared by many: \($0)" } ?? "",
            ]
        }
    }

    /// Asks again if many beacons have this identity.
    private static func confirm(_ identity: BeaconIdentity) throws(CommandFailure) {
        guard let origin = WellKnownIdentities.origin(of: identity) else { return }
        Console.error.line("Many beacons have this identity (\(origin)): others could be taken for your bike.")
        Console.error.prompt("It is better to give the beacon its own identity. Register it with this one? [y/N]")
        guard StandardInput.line()?.lowercased().begins(with: "y") == true else {
            throw CommandFailure(.usage, "nothing was registered: change the beacon’s identity, or leave out --nearby")
        }
    }
}
