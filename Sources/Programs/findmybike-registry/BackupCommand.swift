import ArgumentParser
import CommandLines
import Foundation
import PhotoFiles
import RegistryAPI
import RegistrySQL
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
        let database = try DatabasePlace(settings).file(instead: cluster)
        let keeping = RegistrySettings.files.compactMap { settings.value($0) } + (options.config.map { [$0] } ?? [])
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

/// `findmybike-registry restore FILE`: replaces the database with a backup.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the database with a backup.",
        discussion: """
            Stop the registry first. The command checks the backup before it replaces anything. It keeps the old
            database in the same folder as ‘….replaced’, ‘….replaced-2’ and so on: delete it when you no longer need it.
            Owners erased and tokens revoked after the backup are erased and revoked again, from the journals in the
            database’s folder. If the journals are missing, copy them there first. Only for SQLite: with PostgreSQL use
            pgBackRest and ‘after-restore’, see ‘Backups’ in docs/guide/cluster.md.
              findmybike-registry restore --config /etc/findmybike/registry.yaml backup.sqlite --force
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The backup file.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Replace the database if there is one.")
    var force = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let database = try DatabasePlace(options.settings()).file(instead: cluster)
        try checkKind()
        let restored = try await Progress.during("checking and copying the backup") {
            try RegistryBackup.restore(
                file, to: database, replacing: force, photos: PhotoBackup(ofDatabase: database, from: file))
        }
        let lastChange = restored.lastChange.map {
            "Its last change was at \(LocalTime.text(of: $0)); later changes are lost."
        }
        let replaced = restored.replaced.map {
            "The old database is now \($0): delete it when you no longer need it."
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
        let again = "Repeat the suspensions of accounts and the quarantines of stations since then."
        guard !restored.knowsRevocations else {
            return ["Tokens revoked and codes used since then stay invalid, by \(restored.revocations).", again]
        }
        return [
            "There is no \(restored.revocations): tokens that were revoked since then work again. Put a copy there and restore "
                + "again, or revoke them again: ‘findmybike operator revoke’, ‘findmybike station revoke’, ‘findmybike owner "
                + "token revoke’.", again,
        ]
    }
}

extension PhotoBackup {
    /// The photos in the folder of a database.
    ///
    /// - Parameter file: another database, such as a replaced one. Pictures that its file does not hold are restored
    ///   from its folder.
    fileprivate init(ofDatabase database: String, from file: String? = nil) {
        let store = FilePhotoStore(folder: FilePhotoStore.folder(ofDatabase: database))
        let source = file.map { FilePhotoStore(folder: FilePhotoStore.folder(ofDatabase: $0)) } ?? store
        self.init(
            read: { try source.read($0) }, write: { try store.write($1, as: $0) },
            keep: { try store.link(to: FilePhotoStore.folder(ofDatabase: $0)) })
    }
}

/// The replacement for these commands with PostgreSQL.
private let cluster =
    "this command is only for SQLite. With PostgreSQL use pgBackRest: see ‘Backups’ in docs/guide/cluster.md"
