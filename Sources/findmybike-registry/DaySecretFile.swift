import Files
import Logging
import Registry

extension FindSenders.Place {
    /// A file next to the database, readable only by its user. Backups do not contain it.
    static func file(ofDatabase database: String, _ logger: Logger) -> FindSenders.Place {
        let file = SecretFile(path: database + ".day-secret")
        return FindSenders.Place(read: { file.read() }) { secret in
            do {
                try file.replace(with: secret)
            } catch {
                logger.warning(
                    "after a restart, blocked finders could write again today",
                    metadata: ["file": "\(file.path)", "error": "\(error)"])
            }
        } remove: {
            file.remove()
        }
    }
}
