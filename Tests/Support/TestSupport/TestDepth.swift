import Foundation

/// How much those tests do that play many random cases, or a flood: a gate has little time, the release check has more.
public enum TestDepth {
    public static let isFull = ProcessInfo.processInfo.environment["TEST_DEPTH"] == "full"

    /// The number of cases for this run: `all` if the environment has `TEST_DEPTH=full`.
    public static func cases<Number: BinaryInteger>(_ few: Number, of all: Number) -> Number { isFull ? all : few }
}
