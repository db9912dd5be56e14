// swift-tools-version: 6.2
import PackageDescription

// Measurements, apart from the product so that nobody who uses it builds them: docs/performance.md says how to run them.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "FindMyBike", path: "..")
    ],
    targets: [
        .executableTarget(
            name: "hci-stream",
            dependencies: [
                .product(name: "Beacons", package: "FindMyBike"),
                .product(name: "HCI", package: "FindMyBike"),
                .product(name: "Scanning", package: "FindMyBike"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
