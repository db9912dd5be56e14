import ArgumentParser
import CommandSupport
import Foundation
import RegistrySQLite
import Terminal

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
        let database = try DatabasePlace(options.settings()).sqliteFile()
        try requireDatabase()
        let restored = try await Progress.during("checking and copying the backup") {
            try RegistryBackup.restore(
                file, to: database, replacing: force, photos: PhotoBackup(ofDatabase: database, from: file))
        }
        var lines = ["Restored \(file) to \(database). Start the registry."]
        if let lastChange = restored.lastChange {
            lines.append("Its last change was at \(LocalTime.text(of: lastChange)); later changes are lost.")
        }
        lines += Self.lines(aboutRevocationsIn: restored)
        if let replaced = restored.replaced {
            lines.append("The old database is now \(replaced): delete it when you no longer need it.")
        }
        var answer = ["restored": database]
        answer["replaced"] = restored.replaced
        answer["lastChange"] = restored.lastChange.map { "\($0)" }
        try output.show(answer, lines: lines)
    }

    /// Fails if a regular file is not a database (sqlite.org/fileformat.html, section 1.3). Other mistakes are left to the
    /// restore itself.
    private func requireDatabase() throws(CommandFailure) {
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

    /// Says whether tokens stay revoked, and what to repeat.
    private static func lines(aboutRevocationsIn restored: RestoredDatabase) -> [String] {
        guard !restored.knowsRevocations else {
            return ["Tokens revoked and codes used since then stay invalid, by \(restored.revocations).", toRepeat]
        }
        return [
            "There is no \(restored.revocations): tokens that were revoked since then work again. Put a copy there and restore "
                + "again, or revoke them again: ‘findmybike operator revoke’, ‘findmybike station revoke’, ‘findmybike owner "
                + "token revoke’.", toRepeat,
        ]
    }

    /// What the journals do not repeat after a restore.
    static let toRepeat =
        "Repeat the suspensions of accounts and the quarantines of stations since the backup. If you have partners, look at "
        + "‘findmybike partner show’: they may be suspended, or need new tokens."
}
