import Foundation

/// How many cases the tests try that play many random ones: a gate has little time, the release check has more.
public enum TestDepth {
    public static let isFull = ProcessInfo.processInfo.environment["TEST_DEPTH"] == "full"

    /// The number of cases for this run: `all` if the environment has `TEST_DEPTH=full`.
    public static func cases(_ few: UInt64, of all: UInt64) -> UInt64 { isFull ? all : few }
}
