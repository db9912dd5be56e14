import Foundation
import Logging
import OperatingSystem
import RegistryAPI
import RegistryRules
import Syntax

extension FindSenders.Place {
    /// A file next to the database, readable only by its user, with the secret key of each day: one line a day, with the
    /// date and the key in base 64. Backups do not contain it.
    static func file(ofDatabase database: String, _ logger: Logger) -> FindSenders.Place {
        let file = SecretFile(path: database + ".day-secret")
        return FindSenders.Place { proposed in
            let kept = (file.read() ?? "").split(at: "\n").compactMap(parse)
            // A key that the file has stays; days that are not proposed are over.
            var keys = proposed
            for line in kept where proposed[line.day] != nil { keys[line.day] = line.key }
            let isUnchanged =
                kept.count == keys.count
                && keys.allSatisfy { day, key in kept.contains { $0.day == day && $0.key == key } }
            guard !isUnchanged else { return keys }
            let lines = keys.map { day, key in "\(day) \(Data(key).base64EncodedString())" }
            do {
                try file.replace(with: lines.sorted().joined(separator: "\n"))
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
