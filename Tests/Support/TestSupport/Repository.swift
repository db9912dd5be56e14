import Foundation

/// Files of the repository that tests read in place: samples, units, captures.
public enum Repository {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    public static func path(_ relative: String) -> String {
        root.appendingPathComponent(relative).path
    }

    public static let captures = "Tests/Radio/ScanningTests/Fixtures"
}
