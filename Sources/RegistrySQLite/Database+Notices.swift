import Foundation
import GRDB
import Registry
import RegistryAPI

extension Database {
    /// Queues a notice for each of an owner's channels; returns how many. Reminders leave channels alone that others
    /// come before, unless there is no other.
    @discardableResult
    func queueAlerts(
        _ notice: OwnerNotice, toOwner owner: Int64, at time: Timestamp, using entropy: Entropy
    ) throws -> Int {
        var entropy = entropy
        let sql = "SELECT key, kind, after FROM channel WHERE owner = ? AND removed IS NULL AND verified IS NOT NULL"
        var channels = try rows(sql, [owner])
        let isUrgent = notice.event.isUrgent
        let first = channels.filter { !$0.hasNonNull("after") }
        if !isUrgent, !first.isEmpty { channels = first }
        let due = isUrgent ? time : try dueOfReminder(notice.event, toOwner: owner, at: time)
        for channel in channels {
            try run(
                "INSERT INTO alert (id, notice, channel, kind, urgent, created, due) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    AlertID(at: time, using: &entropy).blob, try JSONEncoder().encode(notice),
                    channel["key"] as Int64, channel["kind"] as String, isUrgent, time.milliseconds, due.milliseconds,
                ]
            )
        }
        return channels.count
    }

    private func dueOfReminder(
        _ event: OwnerNotice.Event, toOwner owner: Int64, at time: Timestamp
    ) throws -> Timestamp {
        let row = try row("SELECT zone, quiet_from, quiet_to FROM owner WHERE key = ?", [owner])
        return event.due(at: time, in: LocalZone(row?["zone"]), quiet: row?.quietHours())
    }
}
