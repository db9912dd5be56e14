import ArgumentParser
import RegistrySQLite
import Settings

/// `findmybike-registry backup FILE`: copies the database while it is served.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database into a file, also while the registry runs.",
        discussion: """
            The file is checked and on disk when the command ends. It holds all that the database holds, secrets of
            webhooks among it: keep it as safe. What is erased later is still in it; keep the journal of erasures, which
            lies beside the database, apart from the backups, so that a restored one is erased again.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The file to be made.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Replace the file where it exists.")
    var force = false

    func run() throws {
        let database = try options.settings().required(RegistrySettings.database)
        try RegistryBackup.backUp(database, to: file, replacing: force)
    }
}

/// `findmybike-registry restore FILE`: puts a backup in the database's place.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the database’s place.",
        discussion: """
            The registry must not be running. The backup is checked first; a database that is replaced is kept beside, with
            ‘.replaced’ after its name: delete it once it is not needed.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Replace the database where there is one.")
    var force = false

    func run() throws {
        let database = try options.settings().required(RegistrySettings.database)
        try RegistryBackup.restore(file, to: database, replacing: force)
    }
}
