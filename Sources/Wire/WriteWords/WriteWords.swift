import Foundation
import PackagePlugin

/// Writes the texts of all languages when the program is built (record 69): each build runs `swift.py` of the target, whose
/// Swift file becomes a part of the target.
@main struct WriteWords: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let output = context.pluginWorkDirectoryURL.appending(path: "generated")
        return [
            .prebuildCommand(
                displayName: "Writing the texts of all languages", executable: URL(filePath: "/usr/bin/python3"),
                arguments: ["-B", target.directoryURL.appending(path: "swift.py").path, output.path],
                outputFilesDirectory: output)
        ]
    }
}
