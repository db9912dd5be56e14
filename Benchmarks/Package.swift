// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who builds the programs builds the benchmarks. Always measure release builds.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

/// A benchmark: a program in `Sources/<name>` that uses rooms of the project.
func benchmark(_ name: String, rooms: [String], _ others: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: rooms.map { .product(name: $0, package: "FindMyBike") } + others,
        swiftSettings: settings
    )
}

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "FindMyBike", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        benchmark("bluez-scan", rooms: ["Beacons", "BlueZ", "Scanning"]),
        // Builds the registry itself, too, so that both come from one build.
        benchmark(
            "constant-server",
            rooms: ["Registry", "RegistryHTTP", "RegistrySQLite", "Terminal", "findmybike-registry"],
            [hummingbird, logging]
        ),
        benchmark("decode", rooms: ["Beacons", "MissingList"]),
        benchmark(
            "venue-week",
            rooms: ["Beacons", "Concurrency", "MissingList", "Monitor", "Presence", "RegistryAPI", "Scanning"],
            [logging, serviceLifecycle]
        ),
        benchmark("hci-stream", rooms: ["Beacons", "HCI", "Scanning"]),
        benchmark(
            "missing-list", rooms: ["Beacons", "MissingList", "Registry", "RegistryAPI", "RegistrySQLite"], [logging]
        ),
    ],
    swiftLanguageModes: [.v6]
)
