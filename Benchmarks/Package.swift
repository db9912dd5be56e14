// swift-tools-version: 6.2
import PackageDescription

// Measured, not tested: a package of its own, so that nobody who uses the project builds it.

/// A benchmark: a program in `Sources/<name>` that uses rooms of the project.
func benchmark(_ name: String, rooms: [String]) -> Target {
    .executableTarget(name: name, dependencies: rooms.map { .product(name: $0, package: "FindMyBike") })
}

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "FindMyBike", path: "..")],
    targets: [
        benchmark("bluez-scan", rooms: ["BlueZ"]),
        benchmark("hci-stream", rooms: ["Beacons", "HCI", "Scanning"]),
    ],
    swiftLanguageModes: [.v6]
)
