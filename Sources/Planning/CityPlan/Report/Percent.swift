/// A share as people read it. Shares below 0 or above 1 are shown as 0 or 100 %.
enum Percent {
    /// Such as `41 %`; below 10 % with one digit after the point.
    static func text(_ share: Double) -> String { "\(number(share)) %" }

    /// A share in percent, without the unit.
    static func number(_ share: Double) -> String {
        let share = max(0, min(1, share))
        let tenths = Int((share * 1000).rounded())
        // Rounded once: 34.46 % is 34 %, although its tenths are 34.5 %.
        guard tenths < 100 else { return "\(Int((share * 100).rounded()))" }
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// The interval of a share, such as `35–48 %`.
    static func range(_ heard: PlanReport.Heard) -> String { "\(number(heard.low))–\(number(heard.high)) %" }
}

/// Numbers as people read them.
enum Plain {
    /// Without a point for whole numbers.
    static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) <= 1e9 ? "\(Int(value))" : "\(value)"
    }

    /// Such as `1 station` and `2 stations`.
    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Hours in a larger or smaller unit, such as `20 minutes` and `3 days`.
    static func time(_ hours: Double) -> String {
        if hours < 1 { return counted(max(1, Int((hours * 60).rounded())), "minute") }
        if hours < 48 { return counted(Int(hours.rounded()), "hour") }
        return "\(Int((hours / 24).rounded())) days"
    }

    /// Degrees with five decimals, which is a metre.
    static func degrees(_ value: Double) -> String {
        let parts = Int((abs(value) * 100_000).rounded())
        let fraction = String(parts % 100_000)
        return "\(value < 0 && parts > 0 ? "-" : "")\(parts / 100_000)."
            + String(repeating: "0", count: 5 - fraction.utf8.count) + fraction
    }
}
