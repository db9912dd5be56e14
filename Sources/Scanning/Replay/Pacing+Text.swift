extension Pacing {
    /// Parses how many times as fast, `1`, `60` or `0.5` (0.001…1,000,000), or `max` for as fast as possible.
    public init?(_ text: String) {
        if text == "max" {
            self = .asFastAsPossible
        } else if let speed = Double(text), (0.001...1_000_000).contains(speed) {
            self = .times(speed)
        } else {
            return nil
        }
    }

    /// How long something of the given length plays.
    public func realDuration(of length: Duration) -> Duration {
        switch self {
        case .times(let speed): length / speed
        case .asFastAsPossible: .zero
        }
    }
}
