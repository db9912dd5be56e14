extension Duration {
    /// Days of 24 hours; `count` must be within ±10¹³.
    public static func days(_ count: some BinaryInteger) -> Duration { .seconds(Int64(count) * 86_400) }

    /// The number of whole days of 24 hours in this duration, for texts.
    public var wholeDays: Int64 { components.seconds / 86_400 }
}
