extension Duration {
    /// The duration in nanoseconds; saturates beyond 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product + attoseconds / 1_000_000_000
    }
}
