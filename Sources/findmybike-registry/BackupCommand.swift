import ArgumentParser
import Foundation
import RegistrySQLite
import Settings
import Terminal

/// `findmybike-registry backup FILE`: copies the database while it is served.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database into a file, also while the registry runs.",
        discussion: """
            The file is checked and on disk when the command ends. It holds all that the database holds, secrets of
            webhooks among it: keep it as safe. What is erased later is still in it; keep the journal of erasures, which
            lies beside the database, apart from the backups, so that a restored one is erased again.
              findmybike-registry backup --config /etc/findmybike/registry.yaml backup.sqlite
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The file to be made.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Replace the file where it exists.")
    var force = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let settings = try options.settings()
        let database = try settings.required(RegistrySettings.database)
        let keeping = RegistrySettings.files.compactMap { settings.value($0) } + (options.config.map { [$0] } ?? [])
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw CommandFailure(.cannotCreate, "there is no folder \(folder): make it, or choose another file")
        }
        try await Progress.during("copying the database") {
            try RegistryBackup.backUp(database, to: file, replacing: force, keeping: keeping)
        }
        try output.show("The database is in \(file), checked and on disk.", ["backup": file])
    }
}

/// `findmybike-registry restore FILE`: puts a backup in the database's place.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the database’s place.",
        discussion: """
            The registry must not be running. The backup is checked first. A database that is replaced is kept beside the
            new one, with ‘.replaced’ or ‘.replaced-2’ and so on after its name: delete it once it is not needed.
              findmybike-registry restore --config /etc/findmybike/registry.yaml backup.sqlite --force
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Replace the database where there is one.")
    var force = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let database = try options.settings().required(RegistrySettings.database)
        try checkKind()
        let kept = try await Progress.during("checking and copying the backup") {
            try RegistryBackup.restore(file, to: database, replacing: force)
        }
        let lines =
            ["Restored \(file) to \(database). Start the registry."]
            + (kept.map { ["The database that was there is now \($0): delete it once it is not needed."] } ?? [])
        var answer = ["restored": database]
        answer["replaced"] = kept
        try output.show(lines.joined(separator: "\n"), answer)
    }

    /// Fails where an ordinary file is no database (sqlite.org/fileformat.html, section 1.3).
    private func checkKind() throws(CommandFailure) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue,
            let handle = FileHandle(forReadingAtPath: file)
        else { return }
        defer { try? handle.close() }
        let head = try? handle.read(upToCount: 16)
        guard head == Data("SQLite format 3\0".utf8) else {
            throw CommandFailure(
                .dataError, "\(file) is not a backup: give a file that ‘findmybike-registry backup’ made")
        }
    }
}
