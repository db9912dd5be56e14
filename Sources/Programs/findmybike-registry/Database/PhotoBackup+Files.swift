import PhotoFiles
import RegistrySQLite

extension PhotoBackup {
    /// The photos in the folder of a database.
    ///
    /// - Parameters:
    ///   - database: the path of the database, to whose folder pictures are written.
    ///   - file: another database, such as a replaced one. Pictures that its file does not hold are restored from its
    ///     folder. By default, pictures are read from the folder of `database`.
    init(ofDatabase database: String, from file: String? = nil) {
        let store = FilePhotoStore(folder: FilePhotoStore.folder(ofDatabase: database))
        let source = file.map { FilePhotoStore(folder: FilePhotoStore.folder(ofDatabase: $0)) } ?? store
        self.init(
            read: { try source.read($0) }, write: { try store.write($1, as: $0) },
            keep: { try store.link(to: FilePhotoStore.folder(ofDatabase: $0)) })
    }
}
