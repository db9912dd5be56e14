import ArgumentParser
import CommandSupport
import Foundation
import PhotoFiles
import RegistryPostgreSQL
import RegistryRules
import RegistrySQL
import RegistrySQLite
import Settings
import Terminal

/// `findmybike-registry migrate`: copies an SQLite database into PostgreSQL.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Copy an SQLite database and its photos into PostgreSQL.",
        discussion: """
            Stop the registry first. The PostgreSQL database must be new and empty. Everything is copied, with all \
            identifiers, tokens and the audit, or nothing: the command counts the rows and verifies the audit before it \
            commits. If the file comes from an older version, its tables are brought up to date first, as at a start. \
            Its data do not change, so you can go back to it. Afterwards set ‘database’ to the address, and start the \
            registry: see ‘Moving from SQLite’ in docs/guide/cluster.md.
              findmybike-registry migrate --from registry.sqlite \
            --to "postgresql://findmybike@db1,db2/findmybike?sslmode=verify-full&sslrootcert=/etc/findmybike/db.pem"
            """
    )

    @Option(help: ArgumentHelp("The SQLite file.", valueName: "path"), completion: .file())
    var from: String

    @Option(help: ArgumentHelp("The address of the PostgreSQL database.", valueName: "address"))
    var to: String

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard DatabasePlace.isAddress(to) else {
            throw ValidationError("--to must be an address, as in postgresql://findmybike@db1,db2/findmybike.")
        }
    }

    func run() async throws {
        guard FileManager.default.fileExists(atPath: from) else {
            throw CommandFailure(.noInput, "there is no file \(from): check the path")
        }
        // No standby is needed for the copy: it can be made again.
        let target = try PostgreSQLServer(url: to, durability: .single)
        let source = try SQLiteRegistryStore(path: from)
        let photos = FilePhotoStore(folder: FilePhotoStore.folder(ofDatabase: from))
        let copied = try await Progress.during("copying the database") {
            try await source.closing {
                try await source.readAtLength { try PostgreSQLMigration(to: target).copy($0) { try photos.read($0) } }
            }
        }
        if copied.missingPhotos > 0 {
            Output.remark("warning: the files of \(copied.missingPhotos) photos are missing: they were not copied")
        }
        try output.show(
            Answer(rows: copied.rows, auditEntries: copied.auditEntries, photos: copied.photos),
            lines: [
                "Copied \(copied.rows) rows and \(copied.photos) photos. The audit is whole: \(copied.auditEntries) entries.",
                "Set ‘database: \(to)’ and start the registry.",
            ])
    }

    /// The result as JSON for programs.
    private struct Answer: Encodable {
        let rows, auditEntries: Int64
        let photos: Int
    }
}
