import ArgumentParser
import CommandSupport
import Foundation
import RegistryAPI
import RegistrySQLite
import Settings
import Terminal

/// `findmybike-registry backup FILE`: copies the database, even while the registry runs.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database to a file, even while the registry is running.",
        discussion: """
            The file is checked and on disk when the command ends. It contains all photos, and everything that the
            database contains, even the secrets of webhooks: protect it equally. It keeps data that is erased later and
            tokens that are revoked later. ‘restore’ removes them with the journals ‘.erasures’ and ‘.revocations’ from
            the database’s folder: keep copies of these journals apart from the backups. Only for SQLite: with
            PostgreSQL use pgBackRest, see ‘Backups’ in docs/guide/cluster.md.
              findmybike-registry backup --config /etc/findmybike/registry.yaml backup.sqlite
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The file to create.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let settings = try options.settings()
        let database = try DatabasePlace(settings).sqliteFile()
        // Files that --force must not replace.
        var keeping = RegistrySettings.files.compactMap { settings.value($0) }
        if let config = options.config { keeping.append(config) }
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw CommandFailure(.cannotCreate, "there is no folder \(folder): create it, or choose another file")
        }
        let began = Timestamp.now
        let missing = try await Progress.during("copying the database") {
            try RegistryBackup.backUp(
                database, to: file, replacing: force, keeping: keeping, photos: PhotoBackup(ofDatabase: database))
        }
        if missing > 0 {
            Output.remark("warning: the files of \(missing) photos are missing: they are not in the backup")
        }
        do {
            try BackupRecord(ofDatabase: database).note(began)
        } catch {
            Output.remark("warning: the overview will not show this backup, because its time was not stored (\(error))")
        }
        try output.show(["backup": file], "The database is in \(file), checked and on disk.")
    }
}
