import Foundation
import PackagePlugin

/// Writes sources when the program is built, such as the texts of all languages (records 40 and 69): each build runs a script
/// of the room, whose Swift file becomes a part of the room.
@main struct WriteSources: BuildToolPlugin {
    private static let scripts = ["Languages": "swift.py", "WebPages": "bundle.py"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let script = Self.scripts[target.name] else {
            Diagnostics.error("WriteSources knows no script of \(target.name)")
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
