import ArgumentParser
import CommandSupport
import Evidence
import RegistryAPI
import RegistryClient
import Terminal

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "The registry’s record of every change, for its operator.",
        subcommands: [List.self, CheckpointCommand.self, CheckpointsCommand.self],
        defaultSubcommand: List.self
    )

    struct List: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "List who did what (the default).",
            discussion: "  findmybike audit --report 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 --token-file operator.token"
        )

        @Option(help: ArgumentHelp("Only entries that contain this owner’s data.", valueName: "id"))
        var owner: OwnerID?

        @Option(help: ArgumentHelp("Only entries about this bike.", valueName: "id"))
        var bike: BikeID?

        @Option(help: ArgumentHelp("Only entries about this report.", valueName: "id"))
        var report: ReportID?

        @Option(help: ArgumentHelp("Only entries about this station.", valueName: "id"))
        var station: StationID?

        @Option(help: ArgumentHelp("Only entries with this action, as in report.opened.", valueName: "action"))
        var action: String?

        @Option(help: ArgumentHelp("Not before this time.", valueName: "time"))
        var since: Timestamp?

        @Option(help: ArgumentHelp("Before this time.", valueName: "time"))
        var until: Timestamp?

        @OptionGroup var options: CallOptions

        func validate() throws {
            guard action?.utf8.allSatisfy(Self.isPlain) ?? true else {
                throw ValidationError("An action contains only lower-case letters and dots, as in report.opened.")
            }
        }

        func run(at registry: RegistryConnection) async throws {
            var cursor: String?
            // Page by page, since an audit may not fit in memory.
            repeat {
                let page = try await registry.audit(filter, after: cursor)
                for entry in page.items {
                    if options.json { try Output.json(entry) } else { Output.painted([Self.line(entry)]) }
                }
                cursor = page.next
            } while cursor != nil
        }

        /// The fields of the query.
        private var filter: [(name: String, value: String)] {
            let fields: [(String, String?)] = [
                ("owner", owner?.description), ("bike", bike?.description), ("report", report?.description),
                ("station", station?.description), ("action", action), ("since", since?.description),
                ("until", until?.description),
            ]
            return fields.compactMap { name, value in value.map { (name, $0) } }
        }

        /// An entry as one line, with colours on a terminal.
        private static func line(_ entry: AuditEntry) -> String {
            let style = Output.style
            let index = style.paint("\(entry.index)".padded(toColumns: 6), .faint)
            guard let event = entry.event else {
                return "\(index)  \(style.paint("erased, commitment \(entry.commitment)", .faint))"
            }
            let subjects: [(String, String?)] = [
                ("bike", event.bike?.description), ("report", event.report?.description),
                ("station", event.station?.description),
            ]
            let named = subjects.compactMap { name, id in id.map { "\(name) \($0)" } }
            let details = event.details.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.debugDescription)" }
            let who = event.principal ?? "registry"
            let action = style.paint(event.action.padded(toColumns: 24), .heading)
            let rest = (named + details).map { TerminalText.line($0) }
            return ([index, event.time.local, action, TerminalText.line("by \(who)")] + rest).joined(separator: "  ")
        }

        /// Whether a byte can be part of an action's name.
        private static func isPlain(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: ".")
        }
    }

    struct CheckpointCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "checkpoint",
            abstract: "Print a signed checkpoint of the audit’s end.",
            discussion: """
                Keep it on another machine. ‘findmybike-registry audit verify --checkpoint FILE’ then shows whether \
                any earlier entry was changed or removed.
                  findmybike audit checkpoint --token-file operator-token
                """
        )

        @OptionGroup var options: RegistryOptions

        func run() async throws {
            try Output.json(try await options.connect().auditCheckpoint())
        }
    }
}

extension AuditCommand {
    struct CheckpointsCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "checkpoints",
            abstract: "Print the audit checkpoints that the registry signed every hour, the latest first.",
            discussion: """
                Copy them to another machine. ‘findmybike-registry audit verify --checkpoint FILE’ then shows whether \
                any earlier entry was changed or removed.
                  findmybike audit checkpoints --since 2026-11-20T00:00:00Z --token-file operator-token
                """
        )

        @Option(help: ArgumentHelp("Only checkpoints since this time.", valueName: "time"))
        var since: Timestamp?

        @OptionGroup var options: RegistryOptions

        func run() async throws {
            let registry = try options.connect()
            var cursor: String?
            repeat {
                let page = try await registry.auditCheckpoints(after: cursor)
                // The latest come first, so all others are older than one that is too old.
                for checkpoint in page.items {
                    if let since, let time = Checkpoint(checkpoint.checkpoint)?.time, time < since { return }
                    try Output.json(checkpoint)
                }
                cursor = page.next
            } while cursor != nil
        }
    }
}
