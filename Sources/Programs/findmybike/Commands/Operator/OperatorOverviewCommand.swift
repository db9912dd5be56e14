import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Terminal

struct OperatorOverviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overview", abstract: "Show the state of the whole registry, and what waits for a decision.",
        discussion: """
            Shows the same as the first page of the operator’s desk in the browser.
              findmybike operator overview
            """)

    @OptionGroup var options: CallOptions

    func run() async throws {
        let overview = try await options.connect().overview()
        if options.json { return try Output.json(overview) }
        Output.table(["SUBJECT", "STATE"], overview.rows, tone: OverviewText.tone)
    }
}

extension Overview {
    /// The rows of the table.
    var rows: [[String]] {
        var rows = [["stations", stationWords]]
        if let lying = stations.lying {
            rows.append([
                "suspicious",
                "\(counted(lying, "station", "stations")) reported a beacon that does not exist: look for "
                    + "canary.reported in the audit",
            ])
        }
        if let outdated = stations.outdated {
            rows.append([
                "old versions",
                "\(counted(outdated, "station runs", "stations run")) an older version than this registry: "
                    + "‘findmybike station list’ shows which",
            ])
        }
        if let unreadableBeacons {
            rows.append([
                "rotating beacons",
                "\(counted(unreadableBeacons, "key", "keys")) cannot be read, so stations cannot hear these beacons, "
                    + "or will not for long: restore the file of beacons.keyFile",
            ])
        }
        for queue in alerts {
            rows.append([
                "alerts by \(queue.kind.rawValue)",
                "\(queue.waiting.words) waiting, the oldest \(age(queue.oldest))",
            ])
        }
        if alerts.isEmpty { rows.append(["alerts", "none waiting"]) }
        for errors in deliveryErrors {
            rows.append([
                "errors of \(errors.kind.rawValue)",
                "\(errors.count) in 24 h, the last \(age(errors.last)): \(errors.text)",
            ])
        }
        rows += storage
        for reason in disputed.reasons { rows.append(["disputed", "\(reason.sightings): \(reason.reason.words)"]) }
        if disputed.reasons.isEmpty { rows.append(["disputed", "no sightings in 7 days"]) }
        rows.append(["claims", reviews.claims.words])
        rows.append(["owners to review", reviews.owners.words])
        rows.append(["references to confirm", reviews.references.words])
        rows.append(["reported messages", reviews.messages.words])
        rows.append(["people who feel followed", reviews.safety.words])
        rows.append(["objections to answer", reviews.objections.words])
        rows.append(["searches with signs of misuse", reviews.searches.words])
        return rows
    }

    private var storage: [[String]] {
        let list = OverviewText.size(Int64(clamping: missingList.bytes))
        var sizes = [OverviewText.size(database.bytes)]
        if let bytes = database.logBytes { sizes.append("log \(OverviewText.size(bytes))") }
        if let bytes = database.freeBytes { sizes.append("\(OverviewText.size(bytes)) free") }
        let signed = audit.checkpoint.map { "signed \(age($0))" } ?? "not signed yet"
        return [
            [
                "missing list",
                "version \(missingList.version), \(counted(missingList.bikes, "bike", "bikes")), "
                    + "\(counted(missingList.entries, "entry", "entries")), \(list)",
            ],
            ["database", sizes.joined(separator: ", ")],
            ["backup", backup.map { age($0.taken) } ?? OverviewText.noBackup],
            ["audit", "\(counted(Int(clamping: audit.length), "entry", "entries")), \(signed)"],
        ]
    }

    private var stationWords: String {
        """
        \(stations.listening) listening, \(stations.deaf) not hearing, \(stations.silent) silent, \(stations.new) new, \
        \(stations.revoked) revoked
        """
    }

    /// The time since another one, as `3 h ago`.
    private func age(_ other: Timestamp) -> String {
        let minutes = max(0, other.duration(to: time).components.seconds / 60)
        if minutes < 60 { return "\(minutes) min ago" }
        return minutes < 48 * 60 ? "\(minutes / 60) h ago" : "\(minutes / 1440) days ago"
    }
}

extension Overview.BoundedCount {
    fileprivate var words: String { more ? "more than \(count)" : "\(count)" }
}

private enum OverviewText {
    static let noBackup = "none known"

    /// A number of bytes as `3.2 MB`.
    static func size(_ bytes: Int64) -> String {
        let units = ["kB", "MB", "GB", "TB"]
        guard bytes >= 1000 else { return "\(bytes) B" }
        var (value, unit) = (Double(bytes) / 1000, 0)
        while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return "\((value * 10).rounded() / 10) \(units[unit])"
    }

    static func tone(_ text: String) -> Tone? { text == noBackup ? .alarm : nil }
}
