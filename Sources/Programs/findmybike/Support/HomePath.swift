import Foundation
import Syntax
import Terminal

/// Expands a leading `~/`, which no shell expands in a settings file; XDG_CONFIG_HOME replaces `~/.config`.
enum HomePath {
    /// The path itself if it does not begin with `~/`.
    static func expand(_ path: String) -> String {
        guard let below = path.dropping(prefix: "~/") else { return path }
        let environment = ExecutionEnvironment.current.variables
        if let folder = environment["XDG_CONFIG_HOME"], folder.begins(with: "/"),
            let name = below.dropping(prefix: ".config/")
        {
            return "\(folder)/\(name)"
        }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return "\(home)/\(below)"
    }
}
