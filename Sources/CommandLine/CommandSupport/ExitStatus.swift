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

    /// What the status says, as Markdown for the guide's table.
    public var meaning: String {
        switch self {
        case .success: "all is done"
        case .failure:
            "`doctor`: a check failed; `channel test`: the message did not arrive; `findmybike-monitor --simulate`: "
                + "the reports differ from the simulation"
        case .untrusted: "`evidence verify`: the pack is unchanged, but its key is not trusted"
        case .usage: "wrong arguments, or the answer to a question was not yes"
        case .dataError: "the data is invalid: a bad file, a refused request, a broken chain"
        case .noInput: "a file is missing or cannot be read"
        case .unavailable:
            "the registry, radio, bluetoothd or monitor cannot be reached; or the registry cannot listen on its address"
        case .software: "an internal error in the program"
        case .system: "an operating-system error; `findmybike-monitor`: the radios no longer hear anything"
        case .cannotCreate:
            "a file cannot be created, often because it exists; monitor and registry: another instance uses the files; "
                + "`enrol`: this machine is already a station"
        case .ioError: "the disk fails or is full, or standard output cannot be written"
        case .temporaryFailure:
            "a temporary failure; `findmybike-monitor`: visits are waiting; `venue status`: the registry cannot be "
                + "reached or refuses the station"
        case .noPermission: "not permitted: wrong token, scope or file mode"
        case .configuration: "the settings are invalid"
        }
    }

    /// What the user can do, as Markdown for the guide's table; empty for ``success``.
    public var remedy: String {
        switch self {
        case .success: ""
        case .failure: "read the lines above it"
        case .untrusted: "get the fingerprint from the operator by telephone or on paper"
        case .usage: "`--help`, `--yes`"
        case .dataError: "the message says what is invalid"
        case .noInput: "check its path and permissions"
        case .unavailable: "run `findmybike doctor`"
        case .software: "read the log; please report it"
        case .system: "read the log; systemd starts it again"
        case .cannotCreate: "choose another name; `--state`; `--replace`"
        case .ioError: "free space, or replace the disk; send the output elsewhere"
        case .temporaryFailure: "the message says how long to wait; the `registry` line says why"
        case .noPermission: "use another token; `chmod`"
        case .configuration: "the message names the setting; `findmybike login`; `--check-config`"
        }
    }

    /// The guide's table, in Markdown.
    public static var markdown: String {
        let rows = allCases.dropFirst().map { "| \($0.rawValue) | \($0.meaning) | \($0.remedy) |\n" }
        return "| status | meaning | what helps |\n|---|---|---|\n" + rows.joined()
    }
}
