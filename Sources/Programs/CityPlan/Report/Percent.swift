/// A share as people read it.
enum Percent {
    /// Such as `41 %`; below 10 % with one digit after the point.
    static func text(_ share: Double) -> String { "\(number(share)) %" }

    /// A share without the unit.
    static func number(_ share: Double) -> String {
        let tenths = Int((max(0, min(1, share)) * 1000).rounded())
        return tenths < 100 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
    }

    static func range(_ heard: PlanReport.Heard) -> String { "\(number(heard.low))–\(number(heard.high)) %" }
}

extension Horizon {
    /// Such as `a week`.
    public var words: String {
        switch self {
        case .hour: "an hour"
        case .day: "a day"
        case .week: "a week"
        case .month: "30 days"
        }
    }
}

/// Hours as people read them.
enum Waiting {
    static func text(_ hours: Double) -> String {
        if hours < 1 { return "\(max(1, Int((hours * 60).rounded()))) minutes" }
        if hours < 48 { return "\(Int(hours.rounded())) hours" }
        return "\(Int((hours / 24).rounded())) days"
    }
}
