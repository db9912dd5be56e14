private import Glibc

/// The standard normal distribution.
public enum Normal {
    /// The probability of a value up to this one.
    public static func cumulative(_ value: Double) -> Double { 0.5 * erfc(-value / 2.0.squareRoot()) }
}
