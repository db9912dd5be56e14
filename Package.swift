// swift-tools-version: 6.2
import PackageDescription

// One settings list for every Swift target. CI sets FINDMYBIKE_STRICT, which turns warnings into errors.
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (Context.environment["FINDMYBIKE_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let flyingSocks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1 = Target.Dependency.product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioHTTPTypesHTTP2 = Target.Dependency.product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// A floor: a folder in `Sources` and in `Tests`. Its rooms may import each other, and rooms of the floors that are named
/// before it (`scripts/house.sh`).
struct Floor {
    let name: String

    /// A room: a library target with its tests beside it. Every room may import `Syntax`.
    func room(
        _ name: String,
        _ dependencies: [Target.Dependency] = [],
        tests: [Target.Dependency]? = [],
        fixtures: Bool = false,
        exclude: [String] = [],
        resources: [Resource] = [],
        plugins: [Target.PluginUsage] = []
    ) -> [Target] {
        let dependencies = name == "Syntax" ? [] : dependencies + ["Syntax"]
        let library = Target.target(
            name: name, dependencies: dependencies, path: path(name), exclude: exclude, resources: resources,
            swiftSettings: settings, plugins: plugins)
        guard let tests else { return [library] }
        return [
            library,
            .testTarget(
                name: "\(name)Tests",
                dependencies: [.byName(name: name), "TestSupport"] + dependencies + tests,
                path: "Tests/\(self.name)/\(name)Tests",
                resources: fixtures ? [.copy("Fixtures")] : [],
                swiftSettings: settings
            ),
        ]
    }

    /// The headers of a C library, and Debian's packages that bring it. Without `pkgConfig` a program links it only if it
    /// calls it.
    func library(_ name: String, pkgConfig: String? = nil, packages: [String] = []) -> [Target] {
        [
            .systemLibrary(
                name: name, path: path(name), pkgConfig: pkgConfig,
                providers: packages.isEmpty ? nil : [.apt(packages)])
        ]
    }

    /// A program: arguments, settings and a service group; everything else lives in a room.
    func program(_ name: String, _ dependencies: [Target.Dependency]) -> [Target] {
        [
            .executableTarget(
                name: name, dependencies: dependencies + ["Syntax"], path: path(name), swiftSettings: settings)
        ]
    }

    /// A plugin that runs while its rooms are built.
    func plugin(_ name: String) -> [Target] { [.plugin(name: name, capability: .buildTool(), path: path(name))] }

    private func path(_ name: String) -> String { "Sources/\(self.name)/\(name)" }
}

/// All of these, in order. The type checker of Swift 6.2 gives up on such a long chain of `+`.
func all(_ parts: [Target]...) -> [Target] { parts.flatMap { $0 } }

// What every system needs, and nothing of bikes.
let base = Floor(name: "Base")
let baseRooms = all(
    // Its tests write outside text into every format.
    base.room(
        "Syntax",
        tests: [
            "MonitorConfiguration", "Notifiers", "PostgreSQL", "RegistryAPI", "RegistryHTTP", "RegistryRules",
            "Settings", "StickerSheets", "Terminal",
        ]
    ),
    base.room("OperatingSystem"),
    base.library("CCurl", pkgConfig: "libcurl", packages: ["libcurl4-openssl-dev"]),
    base.room("HTTPClient", ["CCurl", "OperatingSystem"], fixtures: true)
)

// From an antenna to a visit.
let radio = Floor(name: "Radio")
let radioRooms = all(
    radio.room("Beacons", fixtures: true),
    radio.library("CClock"),
    radio.room("Scanning", ["Beacons", "CClock"], fixtures: true),
    radio.library("CDBus", pkgConfig: "dbus-1", packages: ["libdbus-1-dev"]),
    radio.room("DBus", ["CDBus", "OperatingSystem"], fixtures: true),
    radio.room("BlueZ", ["Beacons", "DBus", "Scanning"], fixtures: true),
    radio.library("CBluetooth"),
    radio.room("HCI", ["Beacons", "CBluetooth", "OperatingSystem", "Scanning"], fixtures: true),
    radio.room("ESPHome", ["Beacons", "OperatingSystem", "Scanning", crypto], fixtures: true),
    radio.room("HomeAssistant", ["Beacons", "HTTPClient", "Scanning", crypto], fixtures: true),
    radio.room("Radios", ["BlueZ", "DBus", "HCI", "Scanning"]),
    radio.room("Location", ["Beacons", "OperatingSystem", "Scanning", logging, serviceLifecycle], fixtures: true),
    radio.room("Presence", ["Beacons"], tests: ["Scanning", "Simulation"]),
    radio.room("Simulation", ["Beacons", "Scanning", yams], tests: ["RegistryRules"])
)

// What stations, owners and registries say to each other.
let wire = Floor(name: "Wire")
let wireRooms = all(
    wire.room("RegistryAPI", ["Beacons"]),
    wire.plugin("WriteWords"),
    wire.room(
        "Languages", ["RegistryAPI"], exclude: ["Catalogues", "catalogue.py", "javascript.py", "swift.py"],
        plugins: ["WriteWords"]
    ),
    wire.room("MissingList", ["Beacons"], tests: [crypto]),
    wire.room("RegistryClient", ["Beacons", "HTTPClient", "MissingList", "RegistryAPI"], fixtures: true),
    wire.room("Evidence", ["RegistryAPI", crypto], tests: ["Beacons"])
)

// What browsers show and printers print.
let web = Floor(name: "Web")
let webRooms = all(
    web.library("CCompression", packages: ["libbrotli-dev", "zlib1g-dev"]),
    web.plugin("BundlePages"),
    web.room(
        "WebPages", ["CCompression", crypto], exclude: ["bundle.py", "Files", "tsconfig.json"], plugins: ["BundlePages"]
    ),
    web.library("CQREncode", pkgConfig: "libqrencode", packages: ["libqrencode-dev"]),
    web.room("StickerSheets", ["CQREncode"])
)

// What a program is given, and what it shows at a terminal.
let commandLine = Floor(name: "CommandLine")
let commandLineRooms = all(
    commandLine.room("Settings", ["OperatingSystem", yams]),
    commandLine.room("Systemd", ["Settings", logging, serviceLifecycle, unixSignals]),
    commandLine.room("Terminal", ["RegistryAPI", logging]),
    commandLine.room(
        "CommandLines", ["OperatingSystem", "Scanning", "Settings", "Terminal", argumentParser], tests: nil)
)

// A station.
let venue = Floor(name: "Venue")
let venueRooms = all(
    venue.room("VenueStatus", ["Beacons", "RegistryAPI", "Scanning"], tests: nil),
    venue.room(
        "Monitor",
        [
            "Beacons", "HTTPClient", "MissingList", "OperatingSystem", "Presence", "RegistryAPI", "RegistryClient",
            "Scanning", "VenueStatus", grdb, logging, serviceLifecycle,
        ],
        tests: ["RegistryRules"], fixtures: true
    ),
    venue.library("CMosquitto", pkgConfig: "libmosquitto", packages: ["libmosquitto-dev"]),
    venue.room(
        "MQTT", ["Beacons", "CMosquitto", "OperatingSystem", "Scanning", "VenueStatus", logging, serviceLifecycle],
        tests: ["RegistryAPI", yams], fixtures: true
    ),
    venue.room(
        "MonitorStatus",
        ["HTTPClient", "RegistryAPI", "Scanning", "VenueStatus", flyingFox, flyingSocks, logging, serviceLifecycle],
        tests: ["Beacons"]
    ),
    venue.room(
        "DisplayServer",
        [
            "Languages", "OperatingSystem", "RegistryAPI", "VenueStatus", "WebPages", crypto, flyingSocks, logging,
            serviceLifecycle,
        ],
        tests: ["Beacons", "HTTPClient"]
    ),
    venue.room(
        "MonitorConfiguration",
        ["CommandLines", "HTTPClient", "OperatingSystem", "RegistryAPI", "RegistryClient", "Settings"]
    ),
    venue.room(
        "Diagnosis",
        [
            "BlueZ", "CommandLines", "DBus", "HTTPClient", "MonitorConfiguration", "MonitorStatus", "OperatingSystem",
            "RegistryAPI", "RegistryClient", "Scanning", "Settings", "Terminal", "VenueStatus",
        ]
    ),
    venue.room(
        "MonitorCommands",
        [
            "Beacons", "BlueZ", "CommandLines", "Diagnosis", "DisplayServer", "ESPHome", "HTTPClient", "HomeAssistant",
            "Location", "MQTT", "MissingList", "Monitor", "MonitorConfiguration", "MonitorStatus", "OperatingSystem",
            "Presence", "Radios", "RegistryAPI", "RegistryClient", "Scanning", "Settings", "Simulation", "Systemd",
            "Terminal", "VenueStatus", argumentParser, logging, serviceLifecycle, unixSignals,
        ],
        tests: nil
    )
)

// A registry.
let registry = Floor(name: "Registry")
let registryRooms = all(
    registry.room("Passkeys", ["RegistryAPI", crypto, cryptoExtras], tests: ["PasskeyTestSupport"]),
    registry.room("Photos"),
    registry.room(
        "RegistryRules",
        [
            "Beacons", "Evidence", "Languages", "MissingList", "OperatingSystem", "Passkeys", "Photos", "RegistryAPI",
            crypto, logging, serviceLifecycle,
        ],
        tests: ["RegistryTestSupport"]
    ),
    registry.library("CSandbox"),
    registry.library("CTurboJPEG", pkgConfig: "libturbojpeg", packages: ["libturbojpeg0-dev"]),
    registry.room(
        "PhotoFiles", ["CSandbox", "CTurboJPEG", "OperatingSystem", "Photos", "RegistryAPI", "RegistryRules"],
        tests: ["RegistryTestSupport", "findmybike-registry"]
    ),
    registry.room("MapTiles"),
    registry.room(
        "TileSources", ["HTTPClient", "MapTiles", "OperatingSystem", grdbSQLite, logging], fixtures: true),
    registry.room(
        "RegistrySQL",
        ["Beacons", "Evidence", "MissingList", "OperatingSystem", "Passkeys", "RegistryAPI", "RegistryRules"],
        tests: nil
    ),
    registry.room(
        "Operations",
        [
            "Beacons", "Evidence", "MissingList", "OperatingSystem", "Passkeys", "Photos", "RegistryAPI",
            "RegistryRules", "RegistrySQL", logging, serviceLifecycle,
        ],
        tests: ["RegistryTestSupport"]
    ),
    registry.library("CSQLite"),
    registry.room(
        "RegistrySQLite",
        [
            "CSQLite", "Evidence", "MissingList", "OperatingSystem", "RegistryAPI", "RegistryRules", "RegistrySQL",
            grdb, grdbSQLite,
        ],
        tests: [
            "Beacons", "PasskeyTestSupport", "Passkeys", "RegistrySQLiteTestSupport", "RegistryStoreContract",
            "RegistryTestSupport",
        ]
    ),
    registry.library("CPostgreSQL", pkgConfig: "libpq", packages: ["libpq-dev"]),
    registry.room("PostgreSQL", ["CPostgreSQL"], tests: ["PostgreSQLTestSupport"]),
    registry.room(
        "RegistryPostgreSQL",
        [
            "Evidence", "MissingList", "OperatingSystem", "Photos", "PostgreSQL", "RegistryAPI", "RegistryRules",
            "RegistrySQL", logging,
        ],
        tests: [
            "Beacons", "Passkeys", "PostgreSQLTestSupport", "RegistrySQLite", "RegistrySQLiteTestSupport",
            "RegistryStoreContract", "RegistryTestSupport", grdb,
        ]
    ),
    registry.room(
        "Notifiers", ["Beacons", "HTTPClient", "Languages", "RegistryAPI", "RegistryRules", crypto],
        tests: ["RegistryTestSupport"],
        fixtures: true
    ),
    registry.room(
        "PartnerRegistries", ["HTTPClient", "MissingList", "RegistryAPI", "RegistryClient", "RegistryRules"],
        fixtures: true
    ),
    registry.room(
        "RegistryHTTP",
        [
            "Beacons", "Evidence", "Languages", "MapTiles", "MissingList", "OperatingSystem", "Operations", "Passkeys",
            "Photos", "RegistryAPI", "RegistryRules", "RegistrySQL", "StickerSheets", "WebPages", crypto, httpTypes,
            hummingbird,
            hummingbirdCore, logging, nioCore, nioHTTP1, nioHTTP2, nioHTTPTypes, nioHTTPTypesHTTP1, nioHTTPTypesHTTP2,
            nioSSL, nioTLS, serviceLifecycle,
        ],
        tests: [
            "HTTPClient", "Monitor", "PasskeyTestSupport", "RegistryClient", "RegistrySQLite",
            "RegistrySQLiteTestSupport", "RegistryTestSupport", grdb, nioEmbedded,
        ],
        fixtures: true
    )
)

let programs = Floor(name: "Programs")
let programRooms = all(
    // The models of thieves are files of config/plan, to which Shipped leads; the program carries them.
    programs.room(
        "CityPlan", ["Simulation"], tests: ["Beacons", "Presence", "Scanning"], resources: [.embedInCode("Shipped")]),
    programs.program("findmybike-monitor", ["MonitorCommands"]),
    programs.program(
        "findmybike-registry",
        [
            "Beacons", "CommandLines", "Evidence", "HTTPClient", "MapTiles", "Notifiers", "OperatingSystem",
            "Operations", "PartnerRegistries", "Passkeys", "PhotoFiles", "RegistryAPI", "RegistryHTTP",
            "RegistryPostgreSQL", "RegistryRules", "RegistrySQL", "RegistrySQLite", "Settings", "Systemd", "Terminal",
            "TileSources",
            argumentParser, hummingbird, logging, nioCore, nioPosix, serviceLifecycle, unixSignals,
        ]
    ),
    programs.program(
        "findmybike",
        [
            "Beacons", "BlueZ", "CityPlan", "CommandLines", "DBus", "Diagnosis", "ESPHome", "Evidence", "HCI",
            "HTTPClient", "MonitorCommands", "MonitorConfiguration", "MonitorStatus", "OperatingSystem", "Photos",
            "Presence", "Radios", "RegistryAPI", "RegistryClient", "Scanning", "Settings", "Simulation", "Terminal",
            "VenueStatus", argumentParser, unixSignals,
        ]
    )
)

/// What the tests of several rooms share.
func support(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Tests/Support/\(name)", exclude: exclude, swiftSettings: settings
    )
}

let testSupport = [
    support("TestSupport", ["Beacons", "DBus", "OperatingSystem", "Scanning", logging], exclude: ["Python"]),
    support("PasskeyTestSupport", ["RegistryAPI", crypto]),
    support(
        "RegistryTestSupport", ["Beacons", "Photos", "RegistryAPI", "RegistryRules", "RegistrySQL", "TestSupport"]),
    support("RegistrySQLiteTestSupport", ["RegistryAPI", "RegistrySQLite", "TestSupport"]),
    // What every store must do, whatever its database.
    support(
        "RegistryStoreContract",
        [
            "Beacons", "Evidence", "MissingList", "Operations", "PasskeyTestSupport", "Passkeys", "RegistryAPI",
            "RegistryRules", "RegistrySQL", "RegistryTestSupport", "TestSupport", logging,
        ]),
    // A server of PostgreSQL for the tests.
    support("PostgreSQLTestSupport", ["OperatingSystem", "PostgreSQL", "TestSupport"]),
    // Tests of the programs: their commands within the test’s process, and the built programs from outside.
    Target.testTarget(
        name: "ProgramTests",
        dependencies: [
            "Beacons", "CommandLines", "DBus", "HTTPClient", "MissingList", "MonitorCommands", "PhotoFiles", "Photos",
            "PostgreSQLTestSupport", "Presence", "RegistryAPI", "RegistryClient", "RegistryHTTP", "RegistryRules",
            "Settings", "Terminal", "TestSupport", "findmybike", "findmybike-monitor", "findmybike-registry",
            argumentParser, logging, serviceLifecycle,
        ],
        path: "Tests/Programs/ProgramTests",
        resources: [.copy("Fixtures")],
        swiftSettings: settings
    ),
    // A monitor that kills itself at a given step.
    Target.executableTarget(
        name: "CrashingMonitor",
        dependencies: [
            "Beacons", "HTTPClient", "Monitor", "OperatingSystem", "Presence", "RegistryAPI", "RegistryClient",
            "Scanning", "Simulation", logging, serviceLifecycle,
        ],
        path: "Tests/Support/CrashingMonitor",
        swiftSettings: settings
    ),
]

/// A benchmark: a program in `Benchmarks/Sources/<name>` that uses rooms.
func benchmark(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Benchmarks/Sources/\(name)", swiftSettings: settings)
}

// Nobody who builds the programs should build the benchmarks: Benchmarks/build.sh sets this. It changes no flag of another
// target, so both come from one build.
let benchmarks: [Target] =
    Context.environment["FINDMYBIKE_BENCHMARKS"] == nil
    ? []
    : [
        benchmark("bluez-scan", ["Beacons", "BlueZ", "Scanning"]),
        benchmark("city-plan", ["Beacons", "CityPlan", "Presence", "Scanning", "Simulation"]),
        benchmark(
            "constant-server",
            ["Operations", "RegistryHTTP", "RegistryRules", "RegistrySQLite", "Terminal", hummingbird, logging]),
        benchmark("decode", ["Beacons", "MissingList"]),
        benchmark(
            "hci-stream",
            [
                "Beacons", "HCI", "MissingList", "Monitor", "OperatingSystem", "Presence", "Scanning", logging,
                serviceLifecycle, unixSignals,
            ]),
        benchmark(
            "missing-list",
            [
                "Beacons", "MissingList", "Operations", "RegistryAPI", "RegistryRules", "RegistrySQL", "RegistrySQLite",
                logging,
            ]),
        benchmark(
            "venue-week",
            [
                "Beacons", "MissingList", "Monitor", "OperatingSystem", "Presence", "RegistryAPI", "Scanning", logging,
                serviceLifecycle,
            ]),
    ]

let package = Package(
    name: "FindMyBike",
    products: [
        .executable(name: "findmybike", targets: ["findmybike"]),
        .executable(name: "findmybike-monitor", targets: ["findmybike-monitor"]),
        .executable(name: "findmybike-registry", targets: ["findmybike-registry"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: all(
        baseRooms, radioRooms, wireRooms, webRooms, commandLineRooms, venueRooms, registryRooms, programRooms,
        testSupport, benchmarks),
    swiftLanguageModes: [.v6]
)

// `swift test` builds all tests that are declared: scripts/room.sh names the ones that it runs.
if let names = Context.environment["FINDMYBIKE_TESTS"] {
    var needed: Set<String> = []
    var names = names.split(separator: ",").map(String.init)
    while let name = names.popLast() {
        guard needed.insert(name).inserted else { continue }
        for target in package.targets where target.name == name {
            for case .byNameItem(let name, _) in target.dependencies { names.append(name) }
            for case .plugin(let name, _) in target.plugins ?? [] { names.append(name) }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
}
