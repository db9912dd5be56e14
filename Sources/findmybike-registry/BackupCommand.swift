import ArgumentParser
import CommandLines
import Foundation
import RegistrySQLite
import Settings
import Terminal

/// `findmybike-registry backup FILE`: copies the database, even while the registry runs.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database into a file, also while the registry runs.",
        discussion: """
            The file is checked and on disk when the command ends. It holds all that the database holds, secrets of
            webhooks among it: keep it as safe. Data erased and tokens revoked later are still in it; keep the journals of both,
            ‘.erasures’ and ‘.revocations’ beside the database, apart from the backups: ‘restore’ applies them.
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
        let database = settings.value(RegistrySettings.database)
        let keeping = RegistrySettings.files.compactMap { settings.value($0) } + (options.config.map { [$0] } ?? [])
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw CommandFailure(.cannotCreate, "there is no folder \(folder): make it, or choose another file")
        }
        try await Progress.during("copying the database") {
            try RegistryBackup.backUp(database, to: file, replacing: force, keeping: keeping)
        }
        try output.show(["backup": file], "The database is in \(file), checked and on disk.")
    }
}

/// `findmybike-registry restore FILE`: replaces the database with a backup.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the database’s place.",
        discussion: """
            The registry must not be running. The backup is checked first. A database that is replaced is kept beside the
            new one, with ‘.replaced’ or ‘.replaced-2’ and so on after its name: delete it once it is not needed.
            Who was erased and what was revoked after the backup was made is erased and revoked again, by the journals beside
            the database. Put copies of them there first where they are not.
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
        let database = try options.settings().value(RegistrySettings.database)
        try checkKind()
        let restored = try await Progress.during("checking and copying the backup") {
            try RegistryBackup.restore(file, to: database, replacing: force)
        }
        let lastChange = restored.lastChange.map {
            "Its last change was at \(LocalTime.text(of: $0)); later ones are lost."
        }
        let replaced = restored.replaced.map {
            "The database that was there is now \($0): delete it once it is not needed."
        }
        let lines =
            ["Restored \(file) to \(database). Start the registry."]
            + (lastChange.map { [$0] } ?? []) + Self.revocations(restored) + (replaced.map { [$0] } ?? [])
        var answer = ["restored": database]
        answer["replaced"] = restored.replaced
        answer["lastChange"] = restored.lastChange.map { "\($0)" }
        try output.show(answer, lines: lines)
    }

    /// Fails if a regular file is not a database (sqlite.org/fileformat.html, section 1.3).
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

    private static func revocations(_ restored: RestoredDatabase) -> [String] {
        let again = "Suspend accounts and quarantine stations again where that was done since."
        guard !restored.knowsRevocations else {
            return ["Tokens revoked and codes used since then stay so, by \(restored.revocations).", again]
        }
        return [
            "There is no \(restored.revocations): tokens that were revoked since then work again. Put a copy there and restore "
                + "again, or revoke them again: ‘findmybike operator revoke’, ‘findmybike station revoke’, ‘findmybike owner "
                + "token revoke’.", again,
        ]
    }
}
