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
        Output.table(["SUBJECT", "STATE"], cells: overview.rows)
    }
}

extension Overview {
    /// The rows of the table.
    fileprivate var rows: [[Table.Cell]] { stationRows + alertRows + storageRows + disputeRows + reviewRows }

    private func row(_ subject: String, _ state: String, _ tone: Tone? = nil) -> [Table.Cell] {
        [Table.Cell(subject), Table.Cell(state, tone)]
    }

    private var stationRows: [[Table.Cell]] {
        var rows = [
            row(
                "stations",
                "\(stations.listening) listening, \(stations.deaf) not hearing, \(stations.silent) silent, "
                    + "\(stations.new) new, \(stations.revoked) revoked")
        ]
        if let lying = stations.lying {
            rows.append(
                row(
                    "suspicious",
                    "\(counted(lying, "station", "stations")) reported a beacon that does not exist: look for "
                        + "canary.reported in the audit"))
        }
        if let outdated = stations.outdated {
            rows.append(
                row(
                    "old versions",
                    "\(counted(outdated, "station runs", "stations run")) an older version than this registry: "
                        + "‘findmybike station list’ shows which"))
        }
        if let unreadableBeacons {
            rows.append(
                row(
                    "rotating beacons",
                    "\(counted(unreadableBeacons, "key", "keys")) cannot be read, so stations cannot hear these beacons, "
                        + "or will not for long: restore the file of beacons.keyFile"))
        }
        return rows
    }

    private var alertRows: [[Table.Cell]] {
        let waiting = alerts.map { queue in
            row(
                "alerts by \(queue.kind.rawValue)",
                "\(queue.waiting.text) waiting, the oldest \(timeSince(queue.oldest))")
        }
        let failed = deliveryErrors.map { errors in
            row(
                "errors of \(errors.kind.rawValue)",
                "\(errors.count) in 24 h, the last \(timeSince(errors.last)): \(errors.text)")
        }
        return (waiting.isEmpty ? [row("alerts", "none waiting")] : waiting) + failed
    }

    private var storageRows: [[Table.Cell]] {
        let list = OverviewText.size(Int64(clamping: missingList.bytes))
        var sizes = [OverviewText.size(database.bytes)]
        if let bytes = database.logBytes { sizes.append("log \(OverviewText.size(bytes))") }
        if let bytes = database.freeBytes { sizes.append("\(OverviewText.size(bytes)) free") }
        let signed = audit.checkpoint.map { "signed \(timeSince($0))" } ?? "not signed yet"
        return [
            row(
                "missing list",
                "version \(missingList.version), \(counted(missingList.bikes, "bike", "bikes")), "
                    + "\(counted(missingList.entries, "entry", "entries")), \(list)"),
            row("database", sizes.joined(separator: ", ")),
            backup.map { row("backup", timeSince($0.taken)) } ?? row("backup", "none known", .alarm),
            row("audit", "\(counted(Int(clamping: audit.length), "entry", "entries")), \(signed)"),
        ]
    }

    private var disputeRows: [[Table.Cell]] {
        guard !disputed.reasons.isEmpty else { return [row("disputed", "no sightings in 7 days")] }
        return disputed.reasons.map { row("disputed", "\($0.sightings): \($0.reason.words)") }
    }

    private var reviewRows: [[Table.Cell]] {
        [
            row("claims", reviews.claims.text),
            row("owners to review", reviews.owners.text),
            row("references to confirm", reviews.references.text),
            row("reported messages", reviews.messages.text),
            row("people who feel followed", reviews.safety.text),
            row("objections to answer", reviews.objections.text),
            row("searches with signs of misuse", reviews.searches.text),
        ]
    }

    /// The time from another one to the overview’s, rounded down, as `59 min ago`, `47 h ago` or `2 days ago`.
    private func timeSince(_ other: Timestamp) -> String {
        let minutes = max(0, other.duration(to: time).components.seconds / 60)
        let hours = minutes / 60
        if hours < 1 { return "\(minutes) min ago" }
        return hours < 48 ? "\(hours) h ago" : "\(hours / 24) days ago"
    }
}

extension Overview.BoundedCount {
    fileprivate var text: String { more ? "more than \(count)" : "\(count)" }
}

private enum OverviewText {
    /// A number of bytes as `3.2 MB`.
    static func size(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        let units = ["kB", "MB", "GB", "TB"]
        var value = Double(bytes) / 1000
        var unit = 0
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return "\((value * 10).rounded() / 10) \(units[unit])"
    }
}
