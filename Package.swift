// swift-tools-version: 6.2
import PackageDescription

/// The packages that others wrote, and their products that rooms use.
let packages: [(name: String, by: String, from: Version, products: [String])] = [
    ("swift-argument-parser", "apple", "1.8.2", ["ArgumentParser"]),
    ("swift-crypto", "apple", "4.5.2", ["Crypto", "CryptoExtras"]),
    ("swift-http-types", "apple", "1.8.0", ["HTTPTypes"]),
    ("swift-log", "apple", "1.16.2", ["Logging"]),
    ("swift-nio", "apple", "2.101.2", ["NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOPosix", "NIOTLS"]),
    ("swift-nio-extras", "apple", "1.35.2", ["NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOHTTPTypesHTTP2"]),
    ("swift-nio-http2", "apple", "1.46.0", ["NIOHTTP2"]),
    ("swift-nio-ssl", "apple", "2.37.6", ["NIOSSL"]),
    ("GRDB.swift", "groue", "7.10.0", ["GRDB", "GRDBSQLite"]),
    ("hummingbird", "hummingbird-project", "2.28.1", ["Hummingbird", "HummingbirdCore"]),
    ("Yams", "jpsim", "6.2.2", ["Yams"]),
    ("swift-service-lifecycle", "swift-server", "2.13.0", ["ServiceLifecycle", "UnixSignals"]),
]

/// The rooms, library targets in `Sources/FLOOR/ROOM`, and what each may import besides `Syntax`: rooms of its own floor and
/// of the floors before it (`scripts/house.sh`), and products.
let rooms: KeyValuePairs<String, [String]> = [
    // What every system needs, and nothing of bikes.
    "Base/Syntax": [],
    "Base/OperatingSystem": [],
    "Base/HTTPClient": ["CCurl", "OperatingSystem"],
    // From an antenna to a visit.
    "Radio/Beacons": [],
    "Radio/Scanning": ["Beacons", "CClock"],
    "Radio/DBus": ["CDBus", "OperatingSystem"],
    "Radio/BlueZ": ["Beacons", "DBus", "Scanning"],
    "Radio/HCI": ["Beacons", "CBluetooth", "OperatingSystem", "Scanning"],
    "Radio/ESPHome": ["Beacons", "OperatingSystem", "Scanning", "Crypto"],
    "Radio/HomeAssistant": ["Beacons", "HTTPClient", "Scanning", "Crypto"],
    "Radio/Radios": ["BlueZ", "DBus", "HCI", "Scanning"],
    "Radio/Location": ["Beacons", "OperatingSystem", "Scanning", "Logging", "ServiceLifecycle"],
    "Radio/Presence": ["Beacons"],
    "Radio/Simulation": ["Beacons", "Scanning", "Yams"],
    // What stations, owners and registries say to each other.
    "Wire/RegistryAPI": ["Beacons"],
    "Wire/Languages": ["RegistryAPI"],
    "Wire/MissingList": ["Beacons"],
    "Wire/RegistryClient": ["Beacons", "HTTPClient", "MissingList", "RegistryAPI"],
    "Wire/Evidence": ["RegistryAPI", "Crypto"],
    // What browsers show and printers print.
    "Web/WebPages": ["CCompression", "Crypto"],
    "Web/StickerSheets": ["CQREncode"],
    // What a program is given, and what it shows at a terminal.
    "CommandLine/Settings": ["OperatingSystem", "Yams"],
    "CommandLine/Systemd": ["Settings", "Logging", "ServiceLifecycle", "UnixSignals"],
    "CommandLine/Terminal": ["RegistryAPI", "Logging"],
    "CommandLine/CommandSupport": ["OperatingSystem", "Scanning", "Settings", "Terminal", "ArgumentParser"],
    // A station.
    "Venue/StationStatus": ["Beacons", "RegistryAPI", "Scanning"],
    "Venue/VenueHTTP": ["OperatingSystem"],
    "Venue/Monitor": [
        "Beacons", "HTTPClient", "MissingList", "OperatingSystem", "Presence", "RegistryAPI", "RegistryClient",
        "Scanning", "StationStatus", "GRDB", "Logging", "ServiceLifecycle",
    ],
    "Venue/MQTT": [
        "Beacons", "CMosquitto", "OperatingSystem", "Scanning", "StationStatus", "Logging", "ServiceLifecycle",
    ],
    "Venue/StatusSocket": [
        "HTTPClient", "OperatingSystem", "RegistryAPI", "Scanning", "StationStatus", "VenueHTTP", "Logging",
        "ServiceLifecycle",
    ],
    "Venue/DisplayServer": [
        "Languages", "OperatingSystem", "RegistryAPI", "StationStatus", "VenueHTTP", "WebPages", "Crypto", "Logging",
        "ServiceLifecycle",
    ],
    "Venue/MonitorConfiguration": [
        "CommandSupport", "HTTPClient", "OperatingSystem", "RegistryAPI", "RegistryClient", "Settings",
    ],
    "Venue/Diagnosis": [
        "BlueZ", "CommandSupport", "DBus", "HTTPClient", "MonitorConfiguration", "OperatingSystem", "RegistryAPI",
        "RegistryClient", "Scanning", "Settings", "StationStatus", "StatusSocket", "Terminal",
    ],
    "Venue/MonitorCommands": [
        "Beacons", "BlueZ", "CommandSupport", "Diagnosis", "DisplayServer", "ESPHome", "HTTPClient", "HomeAssistant",
        "Location", "MQTT", "MissingList", "Monitor", "MonitorConfiguration", "OperatingSystem", "Presence", "Radios",
        "RegistryAPI", "RegistryClient", "Scanning", "Settings", "Simulation", "StationStatus", "StatusSocket",
        "Systemd", "Terminal", "ArgumentParser", "Logging", "ServiceLifecycle", "UnixSignals",
    ],
    // A registry.
    "Registry/Passkeys": ["RegistryAPI", "Crypto", "CryptoExtras"],
    "Registry/Photos": [],
    "Registry/RegistryRules": [
        "Beacons", "Evidence", "Languages", "MissingList", "OperatingSystem", "Passkeys", "Photos", "RegistryAPI",
        "Crypto", "Logging", "ServiceLifecycle",
    ],
    "Registry/PhotoFiles": ["CSandbox", "CTurboJPEG", "OperatingSystem", "Photos", "RegistryAPI", "RegistryRules"],
    "Registry/MapTiles": [],
    "Registry/TileSources": ["HTTPClient", "MapTiles", "OperatingSystem", "GRDBSQLite", "Logging"],
    "Registry/RegistrySQL": [
        "Beacons", "Evidence", "MissingList", "OperatingSystem", "Passkeys", "RegistryAPI", "RegistryRules",
    ],
    "Registry/Operations": [
        "Beacons", "Evidence", "MissingList", "OperatingSystem", "Passkeys", "Photos", "RegistryAPI", "RegistryRules",
        "RegistrySQL", "Logging", "ServiceLifecycle",
    ],
    "Registry/RegistrySQLite": [
        "CSQLite", "Evidence", "MissingList", "OperatingSystem", "RegistryAPI", "RegistryRules", "RegistrySQL", "GRDB",
        "GRDBSQLite",
    ],
    "Registry/PostgreSQL": ["CPostgreSQL"],
    "Registry/RegistryPostgreSQL": [
        "Evidence", "MissingList", "OperatingSystem", "Photos", "PostgreSQL", "RegistryAPI", "RegistryRules",
        "RegistrySQL", "Logging",
    ],
    "Registry/Notifiers": ["Beacons", "HTTPClient", "Languages", "RegistryAPI", "RegistryRules", "Crypto"],
    "Registry/PartnerClient": ["HTTPClient", "MissingList", "RegistryAPI", "RegistryClient", "RegistryRules"],
    "Registry/RegistryHTTP": [
        "Beacons", "Evidence", "Languages", "MapTiles", "MissingList", "OperatingSystem", "Operations", "Passkeys",
        "Photos", "RegistryAPI", "RegistryRules", "RegistrySQL", "StickerSheets", "WebPages", "Crypto", "HTTPTypes",
        "Hummingbird", "HummingbirdCore", "Logging", "NIOCore", "NIOHTTP1", "NIOHTTP2", "NIOHTTPTypes",
        "NIOHTTPTypesHTTP1", "NIOHTTPTypesHTTP2", "NIOSSL", "NIOTLS", "ServiceLifecycle",
    ],
    // Before there are stations.
    "Planning/CityPlan": ["Simulation"],
]

/// The programs: arguments, settings and a service group; everything else lives in a room.
let programs: KeyValuePairs<String, [String]> = [
    "findmybike": [
        "Beacons", "BlueZ", "CityPlan", "CommandSupport", "DBus", "Diagnosis", "ESPHome", "Evidence", "HCI",
        "HTTPClient", "MonitorCommands", "MonitorConfiguration", "OperatingSystem", "Photos", "Presence", "Radios",
        "RegistryAPI", "RegistryClient", "Scanning", "Settings", "Simulation", "StationStatus", "StatusSocket",
        "Terminal", "ArgumentParser", "UnixSignals",
    ],
    "findmybike-monitor": ["MonitorCommands"],
    "findmybike-registry": [
        "Beacons", "CommandSupport", "Evidence", "HTTPClient", "MapTiles", "Notifiers", "OperatingSystem", "Operations",
        "PartnerClient", "Passkeys", "PhotoFiles", "RegistryAPI", "RegistryHTTP", "RegistryPostgreSQL", "RegistryRules",
        "RegistrySQL", "RegistrySQLite", "Settings", "Systemd", "Terminal", "TileSources", "ArgumentParser",
        "Hummingbird", "Logging", "NIOCore", "NIOPosix", "ServiceLifecycle", "UnixSignals",
    ],
]

/// The headers of C libraries, and Debian's packages that bring them. Without a name for pkg-config, a program links the
/// library only if it calls it.
let libraries: [(path: String, pkgConfig: String?, packages: [String])] = [
    ("Base/CCurl", "libcurl", ["libcurl4-openssl-dev"]),
    ("Radio/CClock", nil, []),
    ("Radio/CDBus", "dbus-1", ["libdbus-1-dev"]),
    ("Radio/CBluetooth", nil, []),
    ("Web/CCompression", nil, ["libbrotli-dev", "zlib1g-dev"]),
    ("Web/CQREncode", "libqrencode", ["libqrencode-dev"]),
    ("Venue/CMosquitto", "libmosquitto", ["libmosquitto-dev"]),
    ("Registry/CSandbox", nil, []),
    ("Registry/CTurboJPEG", "libturbojpeg", ["libturbojpeg0-dev"]),
    ("Registry/CSQLite", nil, []),
    ("Registry/CPostgreSQL", "libpq", ["libpq-dev"]),
]

/// Rooms for which the plugin `WriteSources` writes sources while they are built.
let written: Set = ["Languages", "WebPages"]
/// Files in a room that no compiler reads.
let excluded = [
    "Languages": ["Catalogues", "catalogue.py", "javascript.py", "swift.py"], "TestSupport": ["Python"],
    "WebPages": ["bundle.py", "Files", "tsconfig.json"],
]

/// What the tests of a room, in `Tests/FLOOR/ROOMTests`, import besides the room, what it imports, and `TestSupport`.
let testsAlsoImport = [
    // They write outside text into every format.
    "Syntax": [
        "MonitorConfiguration", "Notifiers", "PostgreSQL", "RegistryAPI", "RegistryHTTP", "RegistryRules", "Settings",
        "StickerSheets", "Terminal",
    ],
    "Presence": ["Scanning", "Simulation"],
    "Simulation": ["RegistryRules"],
    "MissingList": ["Crypto"],
    "Evidence": ["Beacons"],
    "VenueHTTP": ["HTTPClient"],
    "Monitor": ["RegistryRules"],
    "MQTT": ["RegistryAPI", "Yams"],
    "StatusSocket": ["Beacons"],
    "DisplayServer": ["Beacons", "HTTPClient"],
    "Passkeys": ["PasskeyTestSupport"],
    "RegistryRules": ["RegistryTestSupport"],
    "PhotoFiles": ["RegistryTestSupport", "findmybike-registry"],
    "Operations": ["RegistryTestSupport"],
    "RegistrySQLite": [
        "Beacons", "PasskeyTestSupport", "Passkeys", "RegistrySQLiteTestSupport", "RegistryStoreContract",
        "RegistryTestSupport",
    ],
    "PostgreSQL": ["PostgreSQLTestSupport"],
    "RegistryPostgreSQL": [
        "Beacons", "Passkeys", "PostgreSQLTestSupport", "RegistrySQLite", "RegistrySQLiteTestSupport",
        "RegistryStoreContract", "RegistryTestSupport", "GRDB",
    ],
    "Notifiers": ["RegistryTestSupport"],
    "RegistryHTTP": [
        "HTTPClient", "Monitor", "PasskeyTestSupport", "RegistryClient", "RegistrySQLite", "RegistrySQLiteTestSupport",
        "RegistryTestSupport", "GRDB", "NIOEmbedded",
    ],
    "CityPlan": ["Beacons", "Presence", "Scanning"],
]
/// Rooms that other rooms' tests cover.
let untested: Set = ["CommandSupport", "MonitorCommands", "RegistrySQL", "StationStatus"]
/// Rooms whose tests have a folder `Fixtures`.
let fixtures: Set = [
    "Beacons", "BlueZ", "DBus", "ESPHome", "HCI", "HTTPClient", "HomeAssistant", "Location", "MQTT", "Monitor",
    "Notifiers", "PartnerClient", "RegistryClient", "RegistryHTTP", "Scanning", "TileSources",
]

/// What the tests of several rooms share, in `Tests/Support`.
let support: KeyValuePairs<String, [String]> = [
    "TestSupport": ["Beacons", "DBus", "OperatingSystem", "Scanning", "Logging"],
    "PasskeyTestSupport": ["RegistryAPI", "Crypto"],
    "RegistryTestSupport": ["Beacons", "Photos", "RegistryAPI", "RegistryRules", "RegistrySQL", "TestSupport"],
    "RegistrySQLiteTestSupport": ["RegistryAPI", "RegistrySQLite", "TestSupport"],
    // What every store must do, whatever its database.
    "RegistryStoreContract": [
        "Beacons", "Evidence", "MissingList", "Operations", "PasskeyTestSupport", "Passkeys", "RegistryAPI",
        "RegistryRules", "RegistrySQL", "RegistryTestSupport", "TestSupport", "Logging",
    ],
    // A server of PostgreSQL for the tests.
    "PostgreSQLTestSupport": ["OperatingSystem", "PostgreSQL", "TestSupport"],
]
/// Tests of the programs: their commands within the test’s process, and the built programs from outside.
let programTests = [
    "Beacons", "CommandSupport", "DBus", "HTTPClient", "MissingList", "MonitorCommands", "PhotoFiles", "Photos",
    "PostgreSQLTestSupport", "Presence", "RegistryAPI", "RegistryClient", "RegistryHTTP", "RegistryRules", "Settings",
    "Terminal", "TestSupport", "findmybike", "findmybike-monitor", "findmybike-registry", "ArgumentParser", "Logging",
    "ServiceLifecycle",
]
/// A monitor that kills itself at a given step.
let crashingMonitor = [
    "Beacons", "HTTPClient", "Monitor", "OperatingSystem", "Presence", "RegistryAPI", "RegistryClient", "Scanning",
    "Simulation", "Logging", "ServiceLifecycle",
]

/// Benchmarks: programs in `Benchmarks/Sources`.
let benchmarks: KeyValuePairs<String, [String]> = [
    "bluez-scan": ["Beacons", "BlueZ", "Scanning"],
    "city-plan": ["Beacons", "CityPlan", "Presence", "Scanning", "Simulation"],
    "constant-server": [
        "Operations", "RegistryHTTP", "RegistryRules", "RegistrySQLite", "Terminal", "Hummingbird", "Logging",
    ],
    "decode": ["Beacons", "MissingList"],
    "hci-stream": [
        "Beacons", "HCI", "MissingList", "Monitor", "OperatingSystem", "Presence", "Scanning", "Logging",
        "ServiceLifecycle", "UnixSignals",
    ],
    "missing-list": [
        "Beacons", "MissingList", "Operations", "RegistryAPI", "RegistryRules", "RegistrySQL", "RegistrySQLite",
        "Logging",
    ],
    "venue-week": [
        "Beacons", "MissingList", "Monitor", "OperatingSystem", "Presence", "RegistryAPI", "Scanning", "Logging",
        "ServiceLifecycle",
    ],
]

// One settings list for every Swift target. CI sets FINDMYBIKE_STRICT, which turns warnings into errors.
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (Context.environment["FINDMYBIKE_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

func dependencies(_ names: [String]) -> [Target.Dependency] {
    names.map { name in
        let package = packages.first { $0.products.contains(name) }
        return package.map { .product(name: name, package: $0.name) } ?? .byName(name: name)
    }
}

/// The ROOM of `FLOOR/ROOM`.
func room(_ path: String) -> String { String(path.drop { $0 != "/" }.dropFirst()) }

func library(_ name: String, _ imported: [String], _ path: String) -> Target {
    .target(
        name: name, dependencies: dependencies(imported), path: path, exclude: excluded[name] ?? [],
        // The models of thieves are files of config/plan, to which Shipped leads; the program carries them.
        resources: name == "CityPlan" ? [.embedInCode("Shipped")] : [], swiftSettings: settings,
        plugins: written.contains(name) ? [.plugin(name: "WriteSources")] : [])
}

func tests(_ name: String, _ imported: [String], _ path: String, fixtures: Bool) -> Target {
    .testTarget(
        name: name, dependencies: dependencies(imported), path: path, resources: fixtures ? [.copy("Fixtures")] : [],
        swiftSettings: settings)
}

func program(_ name: String, _ imported: [String], _ path: String) -> Target {
    .executableTarget(name: name, dependencies: dependencies(imported), path: path, swiftSettings: settings)
}

var targets: [Target] = []
for (path, imported) in rooms {
    let name = room(path)
    let imported = name == "Syntax" ? [] : imported + ["Syntax"]
    targets.append(library(name, imported, "Sources/\(path)"))
    guard !untested.contains(name) else { continue }
    let all = [name, "TestSupport"] + imported + (testsAlsoImport[name] ?? [])
    targets.append(tests("\(name)Tests", all, "Tests/\(path)Tests", fixtures: fixtures.contains(name)))
}
for (name, imported) in programs { targets.append(program(name, imported + ["Syntax"], "Sources/Programs/\(name)")) }
for (path, pkgConfig, packages) in libraries {
    let providers: [SystemPackageProvider]? = packages.isEmpty ? nil : [.apt(packages)]
    targets.append(
        .systemLibrary(name: room(path), path: "Sources/\(path)", pkgConfig: pkgConfig, providers: providers))
}
targets.append(.plugin(name: "WriteSources", capability: .buildTool(), path: "Sources/Base/WriteSources"))
for (name, imported) in support { targets.append(library(name, imported, "Tests/Support/\(name)")) }
targets.append(tests("ProgramTests", programTests, "Tests/Programs/ProgramTests", fixtures: true))
targets.append(program("CrashingMonitor", crashingMonitor, "Tests/Support/CrashingMonitor"))
// Nobody who builds the programs should build the benchmarks: Benchmarks/build.sh sets this. It changes no flag of another
// target, so both come from one build.
if Context.environment["FINDMYBIKE_BENCHMARKS"] != nil {
    for (name, imported) in benchmarks { targets.append(program(name, imported, "Benchmarks/Sources/\(name)")) }
}

let package = Package(
    name: "FindMyBike",
    products: programs.map { .executable(name: $0.key, targets: [$0.key]) },
    dependencies: packages.map {
        // Hummingbird’s traits would bring a package for settings, and more of Foundation.
        .package(
            url: "https://github.com/\($0.by)/\($0.name)", from: $0.from,
            traits: $0.name == "hummingbird" ? [] : [.defaults])
    },
    targets: targets,
    swiftLanguageModes: [.v6]
)

// A build without a product builds all targets that are declared: scripts/build.sh and scripts/room.sh name the programs or
// tests that they need.
if let names = Context.environment["FINDMYBIKE_TARGETS"] {
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
