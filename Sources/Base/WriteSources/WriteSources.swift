import Foundation
import PackagePlugin

/// Runs a script of a room in each build; the Swift file that it writes is compiled as part of the room
/// (docs/decisions, records 40 and 69).
///
/// This is a prebuild command, which runs in each build. A build command would run only after a change of its inputs,
/// so all files that a script reads would have to be in a list: each page, and each catalogue of another room. The
/// scripts write a file only if it changes, so a build without changes compiles nothing again.
@main struct WriteSources: BuildToolPlugin {
    /// The script of each room, which gets the folder to write to. A room here is also in `written` of Package.swift,
    /// and its script and the files that it reads are in `excluded`.
    private static let scripts = ["Languages": "swift.py", "WebPages": "bundle.py"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let script = Self.scripts[target.name] else {
            Diagnostics.error("WriteSources has no script for \(target.name)")
            return []
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "generated")
        return [
            .prebuildCommand(
                displayName: "Writing sources of \(target.name)", executable: URL(filePath: "/usr/bin/python3"),
                arguments: ["-B", target.directoryURL.appending(path: script).path, output.path],
                outputFilesDirectory: output)
        ]
    }
}
