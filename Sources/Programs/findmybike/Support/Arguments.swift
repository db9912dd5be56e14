public import ArgumentParser
public import Beacons
public import CityPlan
public import Radios
public import RegistryAPI
import Simulation
import Syntax
import Terminal

// The command-line forms of the domain's values. ArgumentParser reads those without a body, as their raw values or
// descriptions.

extension AlertLanguage: ExpressibleByArgument {}
extension BeaconBattery: ExpressibleByArgument {}
extension BikeColour: ExpressibleByArgument {}
extension BikeKind: ExpressibleByArgument {}
extension Horizon: ExpressibleByArgument {}
extension MemberRole: ExpressibleByArgument {}
extension PhotoSize: ExpressibleByArgument {}
extension PushEnvironment: ExpressibleByArgument {}
extension RadioBackend: ExpressibleByArgument {}
extension Recoverer: ExpressibleByArgument {}
extension ResourceID: ExpressibleByArgument {}
extension SyntheticCity.Plan: ExpressibleByArgument {}
extension TokenScope: ExpressibleByArgument {}

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

extension CalendarDate: ExpressibleByArgument {
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

    /// - Throws: `ValidationError` if this time, the value of an option, is in the future.
    func requirePast(_ option: String) throws {
        guard self <= .now else { throw ValidationError("\(option) is in the future.") }
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

/// A length of time on the command line: `90s`, `1h30m`, or a number of seconds, `90`. From a millisecond to a year.
struct DurationArgument: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        let isNumber = argument.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
        }
        guard let duration = DurationText.parse(isNumber ? argument + "s" : argument),
            duration >= .milliseconds(1), duration <= .seconds(31_536_000)
        else { return nil }
        self.duration = duration
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
