import ArgumentParser
import CommandSupport
import MonitorCommands
import Syntax

/// The command line, or the monitor if the program is started under the monitor's name. A Raspberry Pi has both, and so
/// they share Swift’s runtime and Foundation, which make up most of a program.
@main
struct Main {
    static func main() async {
        if CommandLine.arguments.first?.split(at: "/").last == MonitorProgram.name[...] {
            return await MonitorProgram.main()
        }
        await FindMyBike.runProgram()
    }
}
