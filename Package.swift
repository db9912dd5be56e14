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

/// A room: a library target with its tests beside it. Every room may import `Syntax`.
func room(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    tests: [Target.Dependency]? = [],
    fixtures: Bool = false,
    exclude: [String] = [],
    plugins: [Target.PluginUsage] = []
) -> [Target] {
    let dependencies = name == "Syntax" ? [] : dependencies + ["Syntax"]
    let library = Target.target(
        name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings, plugins: plugins)
    guard let tests else { return [library] }
    return [
        library,
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.byName(name: name), "TestSupport"] + dependencies + tests,
            resources: fixtures ? [.copy("Fixtures")] : [],
            swiftSettings: settings
        ),
    ]
}

/// A program: arguments, settings and a service group; everything else lives in a room.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> [Target] {
    [
        .executableTarget(
            name: name,
            dependencies: dependencies + ["Syntax"],
            swiftSettings: settings
        )
    ]
}

/// All of these, in order. The type checker of Swift 6.2 gives up on such a long chain of `+`.
func all(_ parts: [Target]...) -> [Target] { parts.flatMap { $0 } }

let radio = all(
    // Its tests write outside text into every format.
    room(
        "Syntax",
        tests: [
            "CardSetup", "Notifiers", "PostgreSQL", "Prometheus", "Registry", "RegistryAPI", "RegistryHTTP", "Settings",
            "StickerSheets", "Terminal",
        ]
    ),
    [
        // Headers only, which need no flags: with pkg-config’s the programs would link a library that they do not call.
        Target.systemLibrary(name: "CBluetooth"),
        Target.systemLibrary(
            name: "CDBus",
            pkgConfig: "dbus-1",
            providers: [.apt(["libdbus-1-dev"])]
        ),
    ],
    room("Concurrency", tests: nil),
    room("DBus", ["CDBus", "Concurrency"], fixtures: true),
    room("BlueZ", ["Beacons", "DBus", "Scanning"], fixtures: true),
    room("HCI", ["Beacons", "CBluetooth", "Concurrency", "Scanning"], fixtures: true),
    room("Beacons", fixtures: true),
    [Target.systemLibrary(name: "CClock")],
    room("Scanning", ["Beacons", "CClock"], fixtures: true),
    room("Simulation", ["Beacons", "Scanning", yams], tests: ["Registry"]),
    room("Presence", ["Beacons"], tests: ["Simulation", "Scanning"])
)

let wire = all(
    room("Files", tests: []),
    [
        Target.systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        )
    ],
    room("NetworkAddresses"),
    room("HTTPClient", ["CCurl", "Concurrency", "NetworkAddresses"], fixtures: true),
    room("RegistryAPI", ["Beacons"]),
    room("MissingList", ["Beacons"], tests: [crypto]),
    room("RegistryClient", ["Beacons", "HTTPClient", "MissingList", "RegistryAPI"], fixtures: true)
)

let diagnosis = all(
    room("ExternalPrograms"),
    room(
        "Diagnosis",
        [
            "BlueZ", "CommandLines", "DBus", "ExternalPrograms", "Files", "HTTPClient", "MonitorConfiguration",
            "MonitorStatus", "RegistryAPI", "RegistryClient", "Scanning", "Settings", "VenueStatus",
        ]
    )
)

let receivers = all(
    room("ESPHome", ["Beacons", "Concurrency", "Scanning", crypto], fixtures: true),
    room("HomeAssistant", ["Beacons", "HTTPClient", "Scanning", crypto], fixtures: true)
)

let radios = room("Radios", ["BlueZ", "DBus", "HCI", "Scanning"])

let monitor = room(
    "Monitor",
    [
        "Beacons", "Concurrency", "ExternalPrograms", "Files", "HTTPClient", "MissingList", "Presence", "RegistryAPI",
        "RegistryClient", "Scanning", "VenueStatus", grdb, logging, serviceLifecycle,
    ],
    tests: ["Registry"],
    fixtures: true
)

let pages = all(
    [
        Target.systemLibrary(name: "CCompression", providers: [.apt(["libbrotli-dev", "zlib1g-dev"])]),
        Target.plugin(name: "BundlePages", capability: .buildTool(), path: "Sources/BundlePages"),
    ],
    room(
        "WebPages", ["CCompression", crypto], exclude: ["bundle.py", "Files", "tsconfig.json"], plugins: ["BundlePages"]
    ),
    [
        Target.systemLibrary(
            name: "CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]
        )
    ],
    room("StickerSheets", ["CQREncode"])
)

let evidence = room("Evidence", ["RegistryAPI", crypto], tests: ["Beacons"])

let venue = all(
    room("Location", ["Beacons", "Concurrency", "Scanning", logging, serviceLifecycle], fixtures: true),
    [
        Target.systemLibrary(
            name: "CMosquitto",
            pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev"])]
        )
    ],
    room(
        "MQTT", ["Beacons", "CMosquitto", "Concurrency", "Scanning", "VenueStatus", logging, serviceLifecycle],
        tests: ["RegistryAPI", yams], fixtures: true
    ),
    room("Prometheus", tests: nil),
    room("VenueStatus", ["Beacons", "RegistryAPI", "Scanning"], tests: nil),
    room(
        "MonitorStatus",
        [
            "HTTPClient", "Prometheus", "RegistryAPI", "Scanning", "VenueStatus", flyingFox, flyingSocks, logging,
            serviceLifecycle,
        ],
        tests: ["Beacons"]
    )
)

let displays = room(
    "DisplayServer",
    [
        "Files", "NetworkAddresses", "RegistryAPI", "VenueStatus", "WebPages", crypto, flyingSocks, logging,
        serviceLifecycle,
    ],
    tests: ["Beacons", "HTTPClient"]
)

let plan = [
    // The models of thieves are files of config/plan, to which Shipped leads; the program carries them.
    Target.target(
        name: "CityPlan",
        dependencies: ["Simulation", "Syntax"],
        resources: [.embedInCode("Shipped")],
        swiftSettings: settings
    ),
    .testTarget(
        name: "CityPlanTests",
        dependencies: ["CityPlan", "Presence", "Scanning", "Beacons", "Simulation", "Syntax", "TestSupport"],
        swiftSettings: settings
    ),
]

let photos = all(
    [
        Target.systemLibrary(name: "CSandbox"),
        Target.systemLibrary(
            name: "CTurboJPEG",
            pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"])]
        ),
    ],
    room("Photos"),
    room(
        "PhotoConversion",
        ["CSandbox", "CTurboJPEG", "ExternalPrograms", "Photos", "Registry", "RegistryAPI"],
        tests: ["findmybike-registry"]
    ),
    room("PhotoFiles", ["Files", "Photos", "Registry", "RegistryAPI"], tests: ["RegistryTestSupport"])
)

let tiles = all(
    room("MapTiles"),
    room("TileServers", ["Concurrency", "HTTPClient", "MapTiles", logging], fixtures: true),
    room("TileFiles", ["Concurrency", "MapTiles", grdbSQLite])
)

let registry = all(
    room("Passkeys", ["RegistryAPI", crypto, cryptoExtras], tests: ["PasskeyTestSupport"]),
    room(
        "Registry",
        [
            "Beacons", "Concurrency", "Evidence", "MissingList", "Passkeys", "Photos", "RegistryAPI", crypto, logging,
            serviceLifecycle,
        ],
        tests: ["RegistryTestSupport"]
    ),
    [
        Target.systemLibrary(name: "CSQLite"),
        Target.systemLibrary(
            name: "CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"])]
        ),
    ],
    room("PostgreSQL", ["CPostgreSQL"], tests: ["PostgreSQLTestSupport"]),
    room(
        "RegistrySQL",
        ["Beacons", "Evidence", "Files", "MissingList", "Passkeys", "Registry", "RegistryAPI"],
        tests: nil
    ),
    room(
        "Operations",
        [
            "Beacons", "Concurrency", "Evidence", "MissingList", "Passkeys", "Photos", "Registry", "RegistryAPI",
            "RegistrySQL", logging, serviceLifecycle,
        ],
        tests: []
    ),
    room(
        "RegistrySQLite",
        [
            "CSQLite", "Concurrency", "Evidence", "Files", "MissingList", "Registry", "RegistryAPI", "RegistrySQL",
            grdb, grdbSQLite,
        ],
        tests: [
            "Beacons", "PasskeyTestSupport", "Passkeys", "RegistrySQLiteTestSupport",
            "RegistryStoreContract", "RegistryTestSupport",
        ]
    ),
    room(
        "RegistryPostgreSQL",
        [
            "Concurrency", "Evidence", "MissingList", "Photos", "PostgreSQL", "Registry", "RegistryAPI", "RegistrySQL",
            logging,
        ],
        tests: [
            "Beacons", "Passkeys", "PostgreSQLTestSupport", "RegistrySQLite", "RegistrySQLiteTestSupport",
            "RegistryStoreContract", "RegistryTestSupport", grdb,
        ]
    ),
    room(
        "Notifiers",
        ["HTTPClient", "Registry", "RegistryAPI", crypto],
        tests: ["RegistryTestSupport"],
        fixtures: true
    ),
    room(
        "RegistryHTTP",
        [
            "Beacons", "Concurrency", "Evidence", "MapTiles", "MissingList", "NetworkAddresses", "Operations",
            "Passkeys", "Photos", "Prometheus", "Registry", "RegistryAPI", "RegistrySQL", "StickerSheets", "WebPages",
            crypto,
            httpTypes, hummingbird, hummingbirdCore, logging, nioCore, nioHTTP1, nioHTTP2, nioHTTPTypes,
            nioHTTPTypesHTTP1, nioHTTPTypesHTTP2, nioSSL, nioTLS, serviceLifecycle,
        ],
        tests: [
            "HTTPClient", "Monitor", "PasskeyTestSupport", "RegistryClient", "RegistrySQLite",
            "RegistrySQLiteTestSupport", "RegistryTestSupport", grdb, nioEmbedded,
        ],
        fixtures: true
    )
)

let programs = all(
    room("Settings", ["Files", yams]),
    room("Systemd", ["Settings", logging, serviceLifecycle, unixSignals]),
    room("Terminal", ["RegistryAPI", logging]),
    room("CommandLines", ["Files", "Scanning", "Settings", "Terminal", argumentParser], tests: nil),
    room(
        "MonitorConfiguration",
        ["CommandLines", "Files", "HTTPClient", "NetworkAddresses", "RegistryAPI", "RegistryClient", "Settings"],
        tests: nil
    ),
    room("CardSetup", ["ExternalPrograms", "Files"]),
    room("ContainerSetup", ["HTTPClient", "MonitorConfiguration", "Settings"]),
    room(
        "ScenarioRuns",
        ["HTTPClient", "MissingList", "Monitor", "RegistryAPI", "RegistryClient", "Scanning", "Simulation"],
        tests: nil
    ),
    room(
        "MonitorCommands",
        [
            "Beacons", "BlueZ", "CardSetup", "CommandLines", "Concurrency", "ContainerSetup", "Diagnosis",
            "DisplayServer", "ESPHome",
            "ExternalPrograms", "Files", "HTTPClient", "HomeAssistant", "Location", "MQTT", "MissingList", "Monitor",
            "MonitorConfiguration", "MonitorStatus",
            "NetworkAddresses", "Presence", "Radios", "RegistryAPI", "RegistryClient", "ScenarioRuns", "Scanning",
            "Settings", "Simulation", "Systemd", "Terminal", "VenueStatus", argumentParser, logging, serviceLifecycle,
            unixSignals,
        ],
        tests: nil
    ),
    program("findmybike-monitor", ["MonitorCommands"]),
    program(
        "findmybike-registry",
        [
            "Beacons", "CommandLines", "Concurrency", "Evidence", "Files", "HTTPClient", "MapTiles", "NetworkAddresses",
            "Notifiers", "Operations", "Passkeys", "PhotoConversion", "PhotoFiles", "Registry", "RegistryAPI",
            "RegistryHTTP", "RegistryPostgreSQL", "RegistrySQL", "RegistrySQLite", "Settings", "Systemd", "Terminal",
            "TileFiles", "TileServers",
            argumentParser, hummingbird, logging, nioCore, nioPosix, serviceLifecycle, unixSignals,
        ]
    ),
    program(
        "findmybike",
        [
            "Beacons", "BlueZ", "CityPlan", "CommandLines", "DBus", "Diagnosis", "ESPHome", "Evidence",
            "ExternalPrograms", "Files", "HCI", "HTTPClient", "MonitorCommands", "MonitorConfiguration",
            "MonitorStatus", "NetworkAddresses", "Photos", "Presence", "Radios", "RegistryAPI", "RegistryClient",
            "Scanning", "Settings", "Simulation", "Terminal",
            "VenueStatus", argumentParser, unixSignals,
        ]
    )
)

/// What the tests of several rooms share.
func support(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: settings)
}

let testSupport = [
    support("TestSupport", ["Beacons", "DBus", "ExternalPrograms", "Scanning", logging], exclude: ["Python"]),
    support("PasskeyTestSupport", ["RegistryAPI", crypto]),
    support(
        "RegistryTestSupport", ["Beacons", "Photos", "Registry", "RegistryAPI", "RegistrySQL", "TestSupport"]),
    support("RegistrySQLiteTestSupport", ["RegistryAPI", "RegistrySQLite", "TestSupport"]),
    // What every store must do, whatever its database.
    support(
        "RegistryStoreContract",
        [
            "Beacons", "Evidence", "MissingList", "PasskeyTestSupport", "Passkeys", "Registry", "RegistryAPI",
            "Operations", "RegistrySQL", "RegistryTestSupport", "TestSupport", logging,
        ]),
    // A server of PostgreSQL for the tests.
    support("PostgreSQLTestSupport", ["ExternalPrograms", "PostgreSQL", "TestSupport"]),
    // Tests of the programs: their commands within the test’s process, and the built programs from outside.
    Target.testTarget(
        name: "ProgramTests",
        dependencies: [
            "Beacons", "CommandLines", "DBus", "HTTPClient", "MissingList", "MonitorCommands", "PhotoConversion",
            "Photos", "PostgreSQLTestSupport", "Registry", "RegistryAPI", "RegistryClient", "RegistryHTTP", "Settings",
            "Terminal", "TestSupport", "findmybike", "findmybike-monitor", "findmybike-registry", argumentParser,
            logging, serviceLifecycle,
        ],
        resources: [.copy("Fixtures")],
        swiftSettings: settings
    ),
    // A monitor that kills itself at a given step.
    Target.executableTarget(
        name: "CrashingMonitor",
        dependencies: [
            "Beacons", "Concurrency", "HTTPClient", "Monitor", "Presence", "RegistryAPI", "RegistryClient", "Scanning",
            "Simulation",
            logging, serviceLifecycle,
        ],
        path: "Tests/CrashingMonitor",
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
            ["Operations", "Registry", "RegistryHTTP", "RegistrySQLite", "Terminal", hummingbird, logging]),
        benchmark("decode", ["Beacons", "MissingList"]),
        benchmark(
            "hci-stream",
            [
                "Beacons", "Concurrency", "HCI", "MissingList", "Monitor", "Presence", "Scanning", logging,
                serviceLifecycle, unixSignals,
            ]),
        benchmark(
            "missing-list",
            [
                "Beacons", "MissingList", "Operations", "Registry", "RegistryAPI", "RegistrySQL", "RegistrySQLite",
                logging,
            ]),
        benchmark(
            "venue-week",
            [
                "Beacons", "Concurrency", "MissingList", "Monitor", "Presence", "RegistryAPI", "Scanning", logging,
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
        radio, receivers, radios, wire, diagnosis, monitor, venue, evidence, pages, displays, plan, photos, tiles,
        registry, programs, testSupport, benchmarks),
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
