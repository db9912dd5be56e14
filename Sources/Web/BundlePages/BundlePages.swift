import Foundation
import PackagePlugin

/// Bundles the web pages when the program is built (record 40): each build runs `bundle.py` of the target, whose Swift
/// file becomes a part of the target.
@main struct BundlePages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let output = context.pluginWorkDirectoryURL.appending(path: "generated")
        return [
            .prebuildCommand(
                displayName: "Bundling the web pages", executable: URL(filePath: "/usr/bin/python3"),
                arguments: ["-B", target.directoryURL.appending(path: "bundle.py").path, output.path],
                outputFilesDirectory: output)
        ]
    }
}
