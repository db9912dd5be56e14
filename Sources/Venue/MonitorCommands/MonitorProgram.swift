import CommandLines

/// The program of a venue, `findmybike-monitor`.
public enum MonitorProgram {
    /// The name of the program when it is started.
    public static let name = "findmybike-monitor"

    /// Runs the command on the command line, and ends the process if it fails.
    public static func main() async { await MonitorCommand.runProgram() }
}
