import Logging
import Settings
import Synchronization
import TestSupport
import Testing

@testable import Systemd

@Suite("Reloading the settings")
struct SettingsReloadTests {
    private static let level = Setting.text("log.level", default: "info", "How much is logged.")
    private static let port = Setting.integer("port", in: 1...9, default: 1, "Where to listen.")
    private static let key = Setting.text("key", isSecret: true, "A secret.")
    private static let known: [any SettingDefinition] = [level, port, key]

    private final class Lines: Sendable {
        private let all = Mutex<[String]>([])
        var texts: [String] { all.withLock(\.self) }

        func append(_ text: String) { all.withLock { $0.append(text) } }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
            lines.append("\(event.message) \(fields)")
        }
    }

    private let folder: TemporaryFolder
    private let lines = Lines()
    private let applied = Lines()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func reloads(_ texts: [String]) throws {
        let path = folder.file("settings.yaml")
        let read = { @Sendable () throws(SettingsError) in
            try ProgramSettings(known: Self.known, file: path, environment: [:])
        }
        _ = try folder.write("log:\n  level: info\nkey: first\n", to: "settings.yaml")
        let reload = SettingsReload(
            of: Self.known, since: try read(), read: read,
            apply: ["log.level": { [applied] new in applied.append(new.value(Self.level)) }],
            logger: Logger(label: "test") { [lines] _ in Handler(lines: lines) })
        for text in texts {
            _ = try folder.write(text, to: "settings.yaml")
            reload.reload()
        }
    }

    @Test("changeable settings are applied, the others are named, and no value of a secret is shown")
    func changes() throws {
        try reloads([
            "log:\n  level: debug\nkey: second\nport: 2\n", "log:\n  level: debug\nkey: second\nport: 2\n",
            "log:\n  level: info\nkey: first\n",
        ])
        #expect(applied.texts == ["debug", "info"])
        #expect(
            lines.texts == [
                "settings reloaded applied=log.level", "these settings need a restart settings=port, key",
                "settings reloaded applied=", "these settings need a restart settings=port, key",
                "settings reloaded applied=log.level",
            ])
    }

    @Test("invalid settings change nothing")
    func wrong() throws {
        try reloads(["log:\n  level: debug\nport: 10\n"])
        #expect(applied.texts.isEmpty)
        #expect(lines.texts.first?.contains("settings.yaml:3: port: ‘10’ is invalid") == true)
    }

    @Test("all loggers follow one level, unless one has its own")
    func level() {
        let level = LogLevel(.notice)
        let make = { [lines] (_: String) in AdjustableLogHandler(Handler(lines: lines), by: level) }
        let first = Logger(label: "a", factory: make)
        var second = Logger(label: "b", factory: make)
        second.logLevel = .error
        first.info("not yet")
        level.value = .debug
        first.debug("now")
        second.warning("never")
        #expect(lines.texts == ["now "])
    }
}
