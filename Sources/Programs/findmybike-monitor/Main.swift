import MonitorCommands

/// The monitor as a program of its own, for development. Packages have it as a name of `findmybike`.
@main
struct Main {
    static func main() async { await MonitorProgram.main() }
}
