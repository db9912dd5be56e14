// swift-tools-version: 6.2
import PackageDescription

// Measured, not tested: a package of its own, so that nobody who uses the project builds it.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "FindMyBike", path: "..")],
    targets: [
        .executableTarget(
            name: "bluez-scan",
            dependencies: [.product(name: "BlueZ", package: "FindMyBike")]
        )
    ],
    swiftLanguageModes: [.v6]
)
