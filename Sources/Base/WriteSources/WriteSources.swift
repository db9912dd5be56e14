import Foundation
import PackagePlugin

/// Runs a script of a room in each build; the Swift file that it writes is compiled as part of the room (docs/decisions,
/// records 40 and 69).
@main struct WriteSources: BuildToolPlugin {
    /// The script of each room, which gets the folder to write to.
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
