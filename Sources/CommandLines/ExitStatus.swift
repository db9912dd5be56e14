/// The exit statuses of the programs: those of sysexits(3) and a few more. A test compares the guide's table with this
/// one.
public enum ExitStatus: Int32, CaseIterable, Sendable {
    case success = 0
    /// The checked item is invalid or has a problem.
    case failure = 1
    /// The evidence pack is unchanged, but its key is not a trusted one.
    case untrusted = 3
    case usage = 64
    case dataError = 65
    case noInput = 66
    case unavailable = 69
    case software = 70
    case system = 71
    case cannotCreate = 73
    case ioError = 74
    case temporaryFailure = 75
    case noPermission = 77
    case configuration = 78

    public var meaning: String {
        switch self {
        case .success: "all is done"
        case .failure:
            "`doctor`: something fails; `channel test`: the message did not arrive; `findmybike-monitor --simulate`: what "
                + "was reported differs from what was simulated"
        case .untrusted: "`evidence verify`: nothing was changed, but nobody vouched for the key"
        case .usage: "wrong arguments, or a question not answered with yes"
        case .dataError: "the data is invalid: a bad file, a refused request, a broken chain"
        case .noInput: "a file is missing or cannot be read"
        case .unavailable:
            "not reachable: registry, radio, bluetoothd, monitor; or an address that cannot be listened on"
        case .software: "a fault of the program"
        case .system: "an error of the operating system; of the monitor: no radio hears anything any more"
        case .cannotCreate:
            "a file cannot be created, often since there is one; of monitor and registry: another one uses its files"
        case .ioError: "the disk fails or is full"
        case .temporaryFailure:
            "not now: try again later; of the monitor: visits wait; of `venue status`: the registry is out of reach or "
                + "refuses the station"
        case .noPermission: "not allowed: token, scope, file mode"
        case .configuration: "the settings have mistakes"
        }
    }

    public var remedy: String {
        switch self {
        case .success: ""
        case .failure: "read the lines above it"
        case .untrusted: "get the fingerprint by another way"
        case .usage: "`--help`, `--yes`"
        case .dataError: "the message names it"
        case .noInput: "its path and permissions"
        case .unavailable: "`findmybike doctor`"
        case .software: "the log; please report it"
        case .system: "the log; systemd starts it again"
        case .cannotCreate: "another name; `--state`"
        case .ioError: "free space, or another disk"
        case .temporaryFailure: "the message says how long; the `registry` line says why"
        case .noPermission: "another token; `chmod`"
        case .configuration: "the message names it; `findmybike login`; `--check-config`"
        }
    }

    /// The guide's table, in Markdown.
    public static var markdown: String {
        let rows = allCases.dropFirst().map { "| \($0.rawValue) | \($0.meaning) | \($0.remedy) |\n" }
        return "| status | meaning | what helps |\n|---|---|---|\n" + rows.joined()
    }
}
