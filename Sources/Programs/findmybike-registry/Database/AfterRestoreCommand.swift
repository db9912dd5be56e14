import ArgumentParser
import CommandSupport
import Foundation
import RegistryPostgreSQL
import RegistrySQL
import Settings
import Syntax
import Terminal

/// `findmybike-registry after-restore`: repeats the erasures and revocations that a restored backup of PostgreSQL does
/// not contain.
struct AfterRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "after-restore",
        abstract: "After a backup of PostgreSQL was restored: repeat the erasures and revocations since it was made.",
        discussion: """
            Run it once, after PostgreSQL has the backup and before any registry starts. A restored backup contains owners who were erased after it was made, \
            and accepts tokens that were revoked since. Each registry has noted them in its journals, in files that end in \
            .erasures and .revocations: copy the journals of all machines here, and name them without these endings. \
            Entries that the database already has are not repeated. No standby is needed. Do not run it after a failover: \
            nothing was lost then. With SQLite, ‘restore’ does this by itself. See ‘Backups’ in docs/guide/cluster.md.
              findmybike-registry after-restore --config /etc/findmybike/registry.yaml journals/one/journal journals/two/journal
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The journals of the registries, without .erasures and .revocations.", completion: .file())
    var journals: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        for journal in journals { try requireFiles(of: journal) }
        guard case .server(let server) = try DatabasePlace(options.settings()) else {
            throw CommandFailure(
                .usage, "the database is an SQLite file: ‘findmybike-registry restore’ does this by itself")
        }
        let store = try await PostgreSQLRegistryStore.open(server.withoutStandby)
        var replayed = ReplayedEntries()
        for journal in journals {
            let more = try await store.replayJournal(at: journal)
            replayed.erasures += more.erasures
            replayed.revocations += more.revocations
            if more.unreadable > 0 {
                Output.remark("warning: \(more.unreadable) lines of \(journal).* are no entries: is the copy complete?")
            }
        }
        try await store.forgetSharedSecrets()
        await store.close()
        try output.show(
            ["erasures": replayed.erasures, "revocations": replayed.revocations],
            lines: [
                "Repeated erasures: \(replayed.erasures); revocations: \(replayed.revocations). Set up the standbys again, "
                    + "then start the registries.",
                RestoreCommand.toRepeat,
            ])
    }

    /// Checks that a journal is there, and names a missing half: without any erasures, a registry has only one file.
    private func requireFiles(of journal: String) throws {
        let endings = [".erasures", ".revocations"]
        if let ending = endings.first(where: { journal.ends(with: $0) }) {
            throw CommandFailure(.usage, "name the journal without \(ending): \(journal.dropLast(ending.count))")
        }
        let missing = endings.filter { !FileManager.default.fileExists(atPath: journal + $0) }
        guard missing.count < endings.count else {
            throw CommandFailure(
                .noInput, "there is neither \(journal).erasures nor \(journal).revocations: check the path")
        }
        for ending in endings where !missing.contains(ending) {
            let path = journal + ending
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            guard !isFolder.boolValue, FileManager.default.isReadableFile(atPath: path) else {
                throw CommandFailure(.noInput, "\(path) is no file, or cannot be read: make it readable for this user")
            }
        }
        for ending in missing { Output.remark("warning: there is no \(journal)\(ending)") }
    }
}
