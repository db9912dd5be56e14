import Foundation
import GRDB
public import RegistryRules
import RegistrySQL

/// The pictures of photos in a backup.
///
/// A backup contains them in a table, so that it stays one file. Restoring it moves them back to their store.
public struct PhotoBackup: Sendable {
    /// Reads the pictures of a photo from their store; nil if they are missing.
    let read: @Sendable (PhotoName) throws -> PhotoPictures?
    /// Stores the pictures of a photo.
    let write: @Sendable (PhotoName, PhotoPictures) throws -> Void
    /// Keeps the pictures for a replaced database, which gets another name.
    let keep: @Sendable (_ database: String) throws -> Void

    public init(
        read: @escaping @Sendable (PhotoName) throws -> PhotoPictures?,
        write: @escaping @Sendable (PhotoName, PhotoPictures) throws -> Void,
        keep: @escaping @Sendable (_ database: String) throws -> Void
    ) {
        self.read = read
        self.write = write
        self.keep = keep
    }

    /// The table of a backup with the pictures.
    private static let table = "photo_picture"
    /// The tables of photos. A database of an older program may not have all of them.
    private static let photos = ["photo", "finder_photo"]

    /// Puts the pictures of all photos into a copy of the database.
    ///
    /// - Returns: the number of photos whose pictures are missing.
    func fill(_ copy: DatabaseQueue) throws -> Int {
        try copy.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE \(Self.table) (
                        name BLOB PRIMARY KEY CHECK (length(name) = 16), large BLOB NOT NULL, small BLOB NOT NULL
                    ) STRICT
                    """)
            var missing = 0
            for name in try Self.photos.flatMap({ try Self.names(in: db, $0) }) {
                guard let pictures = try read(name) else {
                    missing += 1
                    continue
                }
                try db.execute(
                    sql: "INSERT INTO \(Self.table) (name, large, small) VALUES (?, ?, ?)",
                    arguments: [name.blob, Data(pictures.large), Data(pictures.small)])
            }
            return missing
        }
    }

    /// Moves the pictures of all photos from a copy of a backup, which becomes the database, to their store. A copy of
    /// a database that was replaced contains no pictures: they are in the folder next to it.
    func takeOut(of path: String) throws {
        let copy = try DatabaseQueue(path: path)
        let isBackup = try copy.read { db in
            let isBackup = try db.tableExists(Self.table)
            let tables = isBackup ? [Self.table] : Self.photos
            for name in try tables.flatMap({ try Self.names(in: db, $0) }) {
                if let pictures = try isBackup ? Self.pictures(of: name, in: db) : read(name) {
                    try write(name, pictures)
                }
            }
            return isBackup
        }
        if isBackup {
            try copy.writeWithoutTransaction { db in
                try db.execute(sql: "DROP TABLE \(Self.table)")
                try db.execute(sql: "VACUUM")
            }
        }
        try copy.close()
    }

    /// The pictures of a photo in a backup.
    private static func pictures(of name: PhotoName, in db: Database) throws -> PhotoPictures? {
        let sql = "SELECT large, small FROM \(table) WHERE name = ?"
        return try Row.fetchOne(db, sql: sql, arguments: [name.blob]).map { row in
            PhotoPictures(large: Array(row[0] as Data), small: Array(row[1] as Data))
        }
    }

    /// The names in a table; none if it does not exist.
    private static func names(in db: Database, _ table: String) throws -> [PhotoName] {
        guard try db.tableExists(table) else { return [] }
        return try Data.fetchAll(db, sql: "SELECT name FROM \(table)").compactMap(PhotoName.init(blob:))
    }
}
