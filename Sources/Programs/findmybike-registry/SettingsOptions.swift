import ArgumentParser
import CommandSupport
import Settings
import Terminal

/// Options that all commands share.
struct SettingsOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Settings file (YAML).", valueName: "path"))
    var config: String?

    @Option(name: .long, help: ArgumentHelp("The database: a file, or a postgresql:// address.", valueName: "database"))
    var database: String?

    /// The settings, overridden by these options.
    func settings(_ more: [String: String] = [:]) throws(SettingsError) -> ProgramSettings {
        let settings = try reading(more)()
        Self.warn(of: settings)
        return settings
    }

    static func warn(of settings: ProgramSettings) {
        for warning in settings.warnings { Output.remark("warning: \(warning)") }
    }

    /// Reads the settings of this command line; the closure can be called later.
    func reading(
        _ more: [String: String] = [:]
    ) -> @Sendable () throws(SettingsError) -> ProgramSettings {
        var arguments = more
        arguments[RegistrySettings.database.key] = database
        return { [config, arguments] () throws(SettingsError) in
            try ProgramSettings(
                known: RegistrySettings.all, file: config, arguments: arguments,
                environment: ExecutionEnvironment.current.variables)
        }
    }
}
