import ArgumentParser
import CommandLines
import MonitorCommands
import Syntax

/// The command line, and the monitor if the program is started by its name: a Raspberry Pi has both, and most of a program
/// is Swift’s runtime and Foundation, which they share in this way.
@main
struct Main {
    static func main() async {
        if CommandLine.arguments.first?.split(at: "/").last == MonitorProgram.name[...] {
            return await MonitorProgram.main()
        }
        await FindMyBike.runProgram()
    }
}
