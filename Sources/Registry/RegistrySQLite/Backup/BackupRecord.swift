import Foundation
import OperatingSystem
public import RegistryAPI

/// The time of a database's last backup, in a file next to it. The registry shows the age of the backup to operators,
/// but another program makes the backup and only reads the database.
public struct BackupRecord: Sendable {
    private let path: String
    private let database: String
    /// The longest file that is read, in bytes: a time, and a line end.
    private static let length = 64

    /// The record of the database at a path, whether or not there is a backup.
    public init(ofDatabase database: String) {
        self.database = database
        path = Self.path(ofDatabase: database)
    }

    /// The path of the record.
    static func path(ofDatabase database: String) -> String { database + ".backed-up" }

    /// Records that a backup of the data at this time is complete. The registry's user can read the file, regardless of
    /// which user makes the backup.
    public func note(_ time: Timestamp) throws {
        try DurableFile.put(Array("\(time)\n".utf8), at: path, FileAccess(of: database))
    }

    /// The time of the data in the last complete backup; nil if none is known.
    public var taken: Timestamp? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        let text = (try? handle.read(upToCount: Self.length)).map { String(decoding: $0, as: UTF8.self) }
        return text.flatMap { Timestamp(String($0.prefix { $0 != "\n" })) }
    }
}
