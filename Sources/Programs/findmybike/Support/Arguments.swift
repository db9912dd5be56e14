public import ArgumentParser
public import Beacons
public import CityPlan
public import Radios
public import RegistryAPI
import Simulation
import Syntax
import Terminal

// The command-line forms of the domain's values.

extension RadioBackend: ExpressibleByArgument {}
extension Horizon: ExpressibleByArgument {}
extension SyntheticCity.Plan: ExpressibleByArgument {}
extension BikeKind: ExpressibleByArgument {}
extension BikeColour: ExpressibleByArgument {}
extension PhotoSize: ExpressibleByArgument {}
extension ReportOutcome: ExpressibleByArgument {
    /// As in `false-alarm`.
    public init?(argument: String) {
        guard let outcome = Self.allCases.first(where: { $0.argument == argument || $0.rawValue == argument }) else {
            return nil
        }
        self = outcome
    }

    private var argument: String { rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined() }

    /// The values that an owner may give.
    public static var allValueStrings: [String] { ReportClosure.ownersOutcomes.map(\.argument) }
    public static var allValueDescriptions: [String: String] { [:] }
    public var defaultValueDescription: String { argument }
}
extension Recoverer: ExpressibleByArgument {}
extension TokenScope: ExpressibleByArgument {}
extension MemberRole: ExpressibleByArgument {}
extension PushEnvironment: ExpressibleByArgument {}
extension ResourceID: ExpressibleByArgument {}
extension AlertLanguage: ExpressibleByArgument {}
extension BeaconBattery: ExpressibleByArgument {}

extension CalendarDate: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}

extension QuietHours: ExpressibleByArgument {
    /// As in `22:00-07:00`.
    public init?(argument: String) {
        let parts = argument.split(at: "-", omittingEmptySubsequences: false).map { TimeOfDay($0) }
        guard parts.count == 2, let from = parts[0], let to = parts[1], from != to else { return nil }
        self.init(from: from, to: to)
    }
}

extension BeaconIdentity: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}

extension ProximityUUID: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}

extension BeaconFrame.Kind: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}

extension Timestamp: ExpressibleByArgument {
    /// Parses the forms in ``TimeInput/forms``, in the user's time zone.
    public init?(argument: String) {
        guard let time = TimeInput.time(argument, now: .now) else { return nil }
        self = time
    }
}

extension Duration {
    /// Parses seconds, `90`, or a number with a unit, `90s`, `10m`, `2h`; greater than zero, at most a year.
    init?(argument: String) {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        let unit = argument.last.flatMap { units[$0] }
        guard let number = Double(unit == nil ? argument[...] : argument.dropLast()) else { return nil }
        let seconds = number * (unit ?? 1)
        guard seconds > 0, seconds <= 31_536_000 else { return nil }
        self = .milliseconds(Int64((seconds * 1000).rounded(.up)))
    }
}

/// How often a beacon sends, on the command line: `500ms` or `1s`, never without the unit.
struct IntervalArgument: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        guard let duration = DurationText.parse(argument) else { return nil }
        self.duration = duration
    }
}

/// A length of time on the command line.
struct DurationArgument: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        guard let duration = Duration(argument: argument) else { return nil }
        self.duration = duration
    }
}
