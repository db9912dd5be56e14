import ArgumentParser
import CommandLines
import MonitorCommands

/// The command line, and the monitor if the program is started by its name: a Raspberry Pi has both, and most of a program
/// is Swift’s runtime and Foundation, which they share in this way.
@main
struct Main {
    /// Aliases for words that people try first.
    private static let meanings = [
        "missing": "findmybike bike missing", "lost": "findmybike bike missing", "stolen": "findmybike bike missing",
        "bike lost": "findmybike bike missing", "found": "findmybike bike found",
        "register": "findmybike bike register", "add": "findmybike bike register",
        "bike add": "findmybike bike register", "bike create": "findmybike bike register",
        "bike delete": "findmybike bike erase", "bike remove": "findmybike bike erase",
        "channel delete": "findmybike channel remove", "channel edit": "findmybike channel change",
    ]

    static func main() async {
        if CommandLine.arguments.first?.split(separator: "/").last == MonitorProgram.name[...] {
            return await MonitorProgram.main()
        }
        await FindMyBike.runProgram(meanings: meanings) { CommandFailure($0) }
    }
}
