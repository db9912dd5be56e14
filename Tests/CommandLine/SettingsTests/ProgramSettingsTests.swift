import Settings
import TestSupport
import Testing

@Suite("Program settings")
struct ProgramSettingsTests {
    private static let url = Setting.httpURL("registry.url", "Where the registry is.")
    private static let interval = Setting.integer(
        "list.interval", in: 1...3600, unit: "seconds", default: 60, "How often.")
    private static let token = Setting.text("station.tokenFile", isSecret: true, "A secret.")
    private static let verbose = Setting.flag("verbose", default: false, "Whether to talk.")
    private static let command = Setting.list("alarm.command", "What to run.")
    private static let receivers = Setting.entries(
        "receivers", maximum: 2, example: #"{"name": "bar"}"#, "What else listens.")
    private static let known: [any SettingDefinition] = [url, interval, token, verbose, command, receivers]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func settings(
        _ yaml: String, arguments: [String: String] = [:], environment: [String: String] = [:]
    ) throws -> ProgramSettings {
        try ProgramSettings(
            known: Self.known,
            file: try folder.write(yaml, to: "settings.yaml"),
            arguments: arguments,
            environment: environment
        )
    }

    private func problems(
        _ yaml: String, arguments: [String: String] = [:], environment: [String: String] = [:]
    ) -> [String] {
        do {
            _ = try settings(yaml, arguments: arguments, environment: environment)
            return []
        } catch {
            return (error as? SettingsError)?.problems ?? ["\(error)"]
        }
    }

    @Test("arguments override the environment, then the file, then the default")
    func precedence() throws {
        let yaml = "registry:\n  url: https://file.example\nlist:\n  interval: 10\n"
        let environment = ["FINDMYBIKE_REGISTRY_URL": "https://environment.example", "FINDMYBIKE_LIST_INTERVAL": "20"]
        let all = try settings(yaml, arguments: ["list.interval": "30"], environment: environment)
        #expect(all.value(Self.interval) == 30)
        #expect(all.value(Self.url) == "https://environment.example")
        #expect(try settings(yaml).value(Self.url) == "https://file.example")
        #expect(try settings("").value(Self.interval) == 60)
    }

    @Test("the words of a camel-case key are separated in the environment")
    func camelCase() throws {
        let environment = ["FINDMYBIKE_STATION_TOKEN_FILE": "/run/token"]
        #expect(Self.token.environmentVariable == "FINDMYBIKE_STATION_TOKEN_FILE")
        #expect(try settings("", environment: environment).value(Self.token) == "/run/token")
    }

    @Test(
        "consecutive capitals are one word in the environment",
        arguments: [
            ("publicURL", "FINDMYBIKE_PUBLIC_URL"), ("apns.keyID", "FINDMYBIKE_APNS_KEY_ID"),
            ("apns.teamID", "FINDMYBIKE_APNS_TEAM_ID"), ("registry.url", "FINDMYBIKE_REGISTRY_URL"),
            ("station.tokenFile", "FINDMYBIKE_STATION_TOKEN_FILE"), ("log.level", "FINDMYBIKE_LOG_LEVEL"),
        ])
    func capitals(key: String, variable: String) throws {
        let setting = Setting.text(key, "A text.")
        #expect(setting.environmentVariable == variable)
        let settings = try ProgramSettings(known: [setting], file: nil, environment: [variable: "here"])
        #expect(settings.value(setting) == "here" && settings.warnings.isEmpty)
    }

    @Test("an unknown FINDMYBIKE variable gets a warning, with the likely name if there is one")
    func strangers() throws {
        let environment = [
            "FINDMYBIKE_REGISTRY_U_R_L": "https://a.example", "FINDMYBIKE_LIST_INTERVALL": "5",
            "FINDMYBIKE_SOMETHING_ELSE_ENTIRELY": "1", "HOME": "/", "FINDMYBIKE_ALARM_VISIT": "told by the monitor",
        ]
        let settings = try settings("", environment: environment)
        #expect(
            settings.warnings.map { String($0.trimmingPrefix("the environment variable ")) } == [
                "FINDMYBIKE_LIST_INTERVALL is not a setting of this program; it is ignored: did you mean "
                    + "FINDMYBIKE_LIST_INTERVAL?",
                "FINDMYBIKE_REGISTRY_U_R_L is not a setting of this program; it is ignored: did you mean "
                    + "FINDMYBIKE_REGISTRY_URL?",
                "FINDMYBIKE_SOMETHING_ELSE_ENTIRELY is not a setting of this program; it is ignored",
            ])
        #expect(settings.value(Self.interval) == 60)
    }

    @Test("all unknown keys and wrong values are reported at once, each with its line and what to do")
    func allProblems() {
        let found = problems("registry:\n  URL: x\n  other: 1\nlist:\n  interval: 0\nverbose: yes please\n")
        #expect(found.count == 4)
        #expect(found.allSatisfy { $0.contains("settings.yaml:") })
        #expect(found[0].contains(":2: unknown key ‘registry.URL’: did you mean ‘registry.url’?"))
        #expect(found[1].contains(":3: unknown key ‘registry.other’"))
        #expect(found[2].contains("‘0’ is invalid: expected seconds, 1…3600"))
        #expect(found[3].contains("true or false"))
    }

    @Test("a text has no control characters", arguments: ["\u{0}", "a\u{0}b", "a\nb", "\u{85}"])
    func controls(text: String) {
        #expect(!Self.token.accepts(text))
        #expect(Self.token.accepts("é, \u{1F6B2} and a b"))
    }

    @Test("a list is a list of strings in the file and a JSON array elsewhere, and nothing else")
    func lists() throws {
        let yaml = "alarm:\n  command: [/bin/lamp, 'two words', 3]\n"
        #expect(try settings(yaml).value(Self.command) == ["/bin/lamp", "two words", "3"])
        let environment = ["FINDMYBIKE_ALARM_COMMAND": #"["a","b c"]"#]
        #expect(try settings(yaml, environment: environment).value(Self.command) == ["a", "b c"])
        #expect(problems("alarm:\n  command: /bin/lamp\n").first?.contains("must be a list") == true)
        #expect(problems("registry:\n  url: [https://a]\n").first?.contains("must not be a list") == true)
        #expect(problems("alarm:\n  command: [{a: b}]\n").first?.contains("list of texts") == true)
        #expect(problems("alarm:\n  command: []\n").first?.contains("is invalid") == true)
        #expect(problems("", environment: ["FINDMYBIKE_ALARM_COMMAND": "/bin/lamp"]).count == 1)
    }

    @Test("entries are mappings of texts in the file and JSON objects elsewhere, and nothing else")
    func entries() throws {
        let yaml = "receivers:\n  - name: bar\n    port: 3\n    key:\n  - {name: door}\n"
        #expect(try settings(yaml).value(Self.receivers) == [["name": "bar", "port": "3"], ["name": "door"]])
        let environment = ["FINDMYBIKE_RECEIVERS": #"[{"name":"hall"}]"#]
        #expect(try settings(yaml, environment: environment).value(Self.receivers) == [["name": "hall"]])
        for wrong in ["receivers: bar\n", "receivers: [bar]\n", "receivers: []\n"] {
            #expect(problems(wrong).first?.contains("must be a list of entries") == true)
        }
        // Without hyphens: one problem, however many names there are.
        let mapping = problems("receivers:\n  bar:\n    esphome: a\n    port: 3\n")
        #expect(mapping.count == 1)
        #expect(mapping.first?.contains("3: receivers must be a list of entries") == true)
        #expect(mapping.first?.contains("begin each with ‘- ’") == true)
        #expect(problems("receivers: [bar, {name: door}]\n").first?.contains("only entries") == true)
        #expect(problems("receivers:\n  - name: [a]\n").first?.contains("only entries") == true)
        #expect(problems("receivers: [{a: b}, {a: b}, {a: b}]\n").first?.contains("at most 2 entries") == true)
        #expect(problems("", environment: ["FINDMYBIKE_RECEIVERS": #"[{"name":1}]"#]).count == 1)
        // The order of names is no difference, so that a reload does not ask for a restart.
        let one = try settings("receivers: [{name: a, port: b}]\n")
        let other = try settings("receivers: [{port: b, name: a}]\n")
        #expect(one.keys(among: [Self.receivers], thatDifferFrom: other).isEmpty)
    }

    @Test("wrong values in arguments and environment are reported by their own names")
    func otherSources() {
        #expect(problems("", arguments: ["list.interval": "x"]).first?.contains("argument for list.interval") == true)
        #expect(problems("", environment: ["FINDMYBIKE_VERBOSE": "1"]).first?.contains("FINDMYBIKE_VERBOSE") == true)
    }

    @Test("a secret’s wrong value is not repeated")
    func secret() {
        let found = problems("", arguments: ["station.tokenFile": ""])
        #expect(found.count == 1)
        #expect(found.first?.contains("the value is invalid") == true)
    }

    @Test(
        "a wrong URL is repeated in one line that is not long, and not at all if it may have a password",
        arguments: [
            ("https://user:secret@a", ": the value is invalid"), ("http://a\nb: c", ": ‘http://a b: c’ is invalid"),
            ("http://a\u{202E}", ": ‘http://a ’ is invalid"), ("http://a/\"}:x", ": ‘http://a/\"}:x’ is invalid"),
            (String(repeating: "x", count: 100_000), String(repeating: "x", count: 199) + "…’ is invalid"),
        ])
    func quotation(text: String, problem: String) {
        let found = problems("", environment: ["FINDMYBIKE_REGISTRY_URL": text])
        #expect(found.count == 1)
        #expect(found.first?.contains(problem) == true)
        #expect(found.first?.contains("secret") == false)
        #expect((found.first?.utf8.count ?? 0) < 500)
    }

    @Test(
        "URLs with more than an address are refused",
        arguments: [
            "ftp://a", "https://", "https://user@host", "https://a?b", "https://a#b", "a.example", "https://a b",
        ]
    )
    func urls(text: String) {
        #expect(!Self.url.accepts(text))
    }

    @Test("a missing file, broken YAML and a list at the top level are explained")
    func broken() throws {
        #expect(throws: SettingsError.self) {
            try ProgramSettings(known: Self.known, file: folder.file("absent"), environment: [:])
        }
        #expect(problems("a: [").first?.contains("not valid YAML") == true)
        for text in ["b: SECRET\na: [", "a:\n  key: SECRET\na: c\n", "SECRET: \u{7}"] {
            let problem = problems(text).first
            #expect(problem?.contains("SECRET") == false, "\(problem ?? "none")")
        }
        #expect(problems("a: b\na: c\n").first?.contains("‘a’ is there twice") == true)
        #expect(problems("- a\n").first?.contains("must be a mapping") == true)
    }

    @Test("the error for a missing setting names the file key and the variable")
    func required() throws {
        let all = try settings("")
        let error = #expect(throws: SettingsError.self) { try all.required(Self.url) }
        #expect(error?.description.contains("registry.url") == true)
        #expect(error?.description.contains("FINDMYBIKE_REGISTRY_URL") == true)
    }

    @Test("a key without a value counts as absent")
    func emptyValue() throws {
        #expect(try settings("registry:\n  url:\n").value(Self.url) == nil)
    }
}
