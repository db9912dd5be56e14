import Foundation

/// Files of the repository that tests read where they are: samples, units, captures.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func path(_ relative: String) -> String {
        root.appendingPathComponent(relative).path
    }

    static let captures = "Tests/ScanningTests/Fixtures"
}
