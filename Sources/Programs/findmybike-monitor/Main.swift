import MonitorCommands

/// The monitor as a separate program, for development. In packages, it is another name of `findmybike`.
@main
struct Main {
    static func main() async { await MonitorProgram.main() }
}
