/// How long after the report a bike counts as heard.
public enum Horizon: String, CaseIterable, Codable, Hashable, Sendable {
    case hour, day, week, month

    /// 30 days for a month.
    var seconds: Double {
        switch self {
        case .hour: 3600
        case .day: 86_400
        case .week: 7 * 86_400
        case .month: 30 * 86_400
        }
    }

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
