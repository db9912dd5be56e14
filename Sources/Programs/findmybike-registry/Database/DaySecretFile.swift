import Foundation
import Logging
import OperatingSystem
import RegistryAPI
import RegistryRules
import Syntax

extension FindSenders.Place {
    /// A file next to the database, readable only by its user: one line for each day. Backups do not contain it.
    static func file(ofDatabase database: String, _ logger: Logger) -> FindSenders.Place {
        let file = SecretFile(path: database + ".day-secret")
        return FindSenders.Place { proposed in
            let kept = (file.read() ?? "").split(at: "\n").compactMap(parse)
            let keys = proposed.merging(kept.filter { proposed[$0.day] != nil }.map { ($0.day, $0.key) }) { $1 }
            guard
                !keys.allSatisfy({ day, key in kept.contains { $0.day == day && $0.key == key } })
                    || kept.count != keys.count
            else { return keys }
            do {
                try file.replace(
                    with: keys.map { "\($0) \(Data($1).base64EncodedString())" }.sorted().joined(separator: "\n"))
            } catch {
                logger.warning(
                    "after a restart, blocked finders could write again today",
                    metadata: ["file": "\(file.path)", "error": "\(error)"])
            }
            return keys
        }
    }

    /// A line of the file; nil if it is damaged.
    private static func parse(_ line: Substring) -> (day: CalendarDate, key: [UInt8])? {
        let words = line.split(at: " ")
        guard words.count == 2, let day = CalendarDate(words[0]), let key = Data(base64Encoded: String(words[1])),
            key.count == 32
        else { return nil }
        return (day, Array(key))
    }
}
