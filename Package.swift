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
let hummingbirdTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1 = Target.Dependency.product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioHTTPTypesHTTP2 = Target.Dependency.product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// A room: a library target with its tests beside it.
func room(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    tests: [Target.Dependency]? = [],
    fixtures: Bool = false
) -> [Target] {
    let library = Target.target(name: name, dependencies: dependencies, swiftSettings: settings)
    guard let tests else { return [library] }
    return [
        library,
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.target(name: name), "TestSupport"] + dependencies + tests,
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
            dependencies: [argumentParser, logging, "CommandLines", "Files", "Settings"] + dependencies,
            swiftSettings: settings
        )
    ]
}

/// All of these, in order. The type checker of Swift 6.2 gives up on such a long chain of `+`.
func all(_ parts: [Target]...) -> [Target] { parts.flatMap { $0 } }

let radio = all(
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
    room("RegistryAPI", ["Beacons"], tests: ["RegistryTestSupport"]),
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

let receivers = room("ESPHome", ["Beacons", "Concurrency", "Scanning", crypto, protobuf], fixtures: true)

let radios = room("Radios", ["BlueZ", "DBus", "HCI", "Scanning"])

let monitor = room(
    "Monitor",
    [
        "Beacons", "Concurrency", "ExternalPrograms", "Files", "HTTPClient", "MissingList", "Presence", "RegistryAPI",
        "RegistryClient", "Scanning", "VenueStatus", grdb, logging, serviceLifecycle,
    ],
    tests: ["Registry", "Simulation"],
    fixtures: true
)

let pages = all(
    [
        Target.systemLibrary(name: "CCompression", providers: [.apt(["libbrotli-dev", "zlib1g-dev"])]),
        // The files are a part of the program: files.c embeds them.
        Target.target(name: "CWebFiles", exclude: ["files", "tsconfig.json", ".clang-format"]),
    ],
    room("WebPages", ["CCompression", "CWebFiles", crypto], tests: []),
    [
        Target.systemLibrary(
            name: "CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]
        )
    ],
    room("StickerSheets", ["CQREncode"])
)

let evidence = room("Evidence", ["Beacons", "RegistryAPI", crypto])

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
    room("PhotoFiles", ["Files", "Photos", "Registry", "RegistryAPI"])
)

let tiles = all(
    room("MapTiles"),
    room("TileServers", ["Concurrency", "HTTPClient", "MapTiles", logging], fixtures: true),
    room("TileFiles", ["Concurrency", "MapTiles", grdbSQLite])
)

let registry = all(
    room("Passkeys", ["RegistryAPI", crypto, cryptoExtras], tests: ["RegistryTestSupport"]),
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
        "RegistrySQLite",
        [
            "Beacons", "CSQLite", "Concurrency", "Evidence", "Files", "MissingList", "Registry", "RegistryAPI",
            "RegistrySQL", crypto, grdb, grdbSQLite,
        ],
        tests: ["Passkeys", "RegistryTestSupport"]
    ),
    room(
        "RegistryPostgreSQL",
        [
            "Concurrency", "Evidence", "MissingList", "Photos", "PostgreSQL", "Registry", "RegistryAPI", "RegistrySQL",
            logging,
        ],
        tests: ["Beacons", "Passkeys", "PostgreSQLTestSupport", "RegistrySQLite", "RegistryTestSupport", grdb]
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
            "Beacons", "Concurrency", "Evidence", "MapTiles", "MissingList", "NetworkAddresses", "Passkeys", "Photos",
            "Prometheus", "Registry", "RegistryAPI", "StickerSheets", "WebPages",
            crypto,
            httpTypes, hummingbird, hummingbirdCore, logging, nioCore, nioHTTP1, nioHTTP2, nioHTTPTypes,
            nioHTTPTypesHTTP1, nioHTTPTypesHTTP2, nioSSL, nioTLS, serviceLifecycle,
        ],
        tests: [
            "HTTPClient", "Monitor", "RegistryClient", "RegistrySQL", "RegistrySQLite", "RegistryTestSupport", grdb,
            hummingbirdTesting,
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
    room(
        "ScenarioRuns",
        ["HTTPClient", "MissingList", "Monitor", "RegistryAPI", "RegistryClient", "Scanning", "Simulation"],
        tests: nil
    ),
    room(
        "MonitorCommands",
        [
            "Beacons", "BlueZ", "CardSetup", "CommandLines", "Concurrency", "Diagnosis", "DisplayServer", "ESPHome",
            "ExternalPrograms", "Files", "HTTPClient", "Location", "MQTT", "MissingList", "Monitor",
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
            "Beacons", "Concurrency", "Evidence", "HTTPClient", "MapTiles", "NetworkAddresses", "Notifiers",
            "PhotoConversion",
            "PhotoFiles", "Registry", "RegistryAPI", "RegistryHTTP", "RegistryPostgreSQL", "RegistrySQL",
            "RegistrySQLite", "Systemd", "Terminal", "TileFiles", "TileServers", hummingbird, nioCore, nioPosix,
            serviceLifecycle, unixSignals,
        ]
    ),
    program(
        "findmybike",
        [
            "Beacons", "BlueZ", "DBus", "Diagnosis", "ESPHome", "Evidence", "HCI", "HTTPClient", "MonitorCommands",
            "MonitorConfiguration", "MonitorStatus", "NetworkAddresses", "Photos", "Presence", "Radios", "RegistryAPI",
            "RegistryClient", "Scanning", "Simulation", "Terminal", "VenueStatus", unixSignals,
        ]
    )
)

let testSupport = [
    Target.target(
        name: "TestSupport",
        dependencies: ["Beacons", "DBus", "ExternalPrograms", "Scanning"],
        path: "Tests/TestSupport",
        swiftSettings: settings
    ),
    Target.target(
        name: "RegistryTestSupport",
        dependencies: [
            "Beacons", "Evidence", "MissingList", "Passkeys", "Photos", "Registry", "RegistryAPI", "TestSupport",
            crypto, logging,
        ],
        path: "Tests/RegistryTestSupport",
        swiftSettings: settings
    ),
    // A server of PostgreSQL for the tests.
    Target.target(
        name: "PostgreSQLTestSupport",
        dependencies: ["ExternalPrograms", "PostgreSQL", "TestSupport"],
        path: "Tests/PostgreSQLTestSupport",
        swiftSettings: settings
    ),
    // Tests of the built programs from outside.
    Target.testTarget(
        name: "ProgramTests",
        dependencies: [
            "Beacons", "CommandLines", "DBus", "HTTPClient", "MissingList", "Photos", "PostgreSQLTestSupport",
            "Registry", "RegistryAPI", "RegistryClient", "RegistryHTTP", "Terminal", "TestSupport",
            "findmybike", "findmybike-monitor", "findmybike-registry", "MonitorCommands", argumentParser,
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

/// Rooms that the nested package `Benchmarks` measures; nothing else should depend on them.
let measured = [
    "Beacons",
    "BlueZ",
    "Concurrency",
    "ESPHome",
    "HCI",
    "MissingList",
    "Monitor",
    "Presence",
    "Registry",
    "RegistryAPI",
    "RegistryHTTP",
    "RegistrySQLite",
    "Scanning",
    "Simulation",
    "Terminal",
].map { Product.library(name: $0, targets: [$0]) }

let package = Package(
    name: "FindMyBike",
    products: [
        .executable(name: "findmybike", targets: ["findmybike"]),
        .executable(name: "findmybike-monitor", targets: ["findmybike-monitor"]),
        .executable(name: "findmybike-registry", targets: ["findmybike-registry"]),
    ] + measured,
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: all(
        radio, receivers, radios, wire, diagnosis, monitor, venue, evidence, pages, displays, photos, tiles, registry,
        programs,
        testSupport),
    swiftLanguageModes: [.v6]
)
