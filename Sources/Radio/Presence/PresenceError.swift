/// An invalid configuration or restored state.
public enum PresenceError: Error, Hashable, Sendable {
    /// A setting is outside its bounds: its name, and the allowed values.
    case invalid(setting: String, allowed: String)
    /// Visits can be resumed only before the first frame.
    case alreadyStarted
    /// There are more visits to resume than the tracker's capacity.
    case tooManyVisits(count: Int, capacity: Int)
    /// A visit to resume contradicts itself or another visit.
    case inconsistentVisit(number: UInt64, reason: String)
}

extension PresenceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalid(let setting, let allowed):
            "\(setting) is out of range: it must be \(allowed)"
        case .alreadyStarted:
            "visits can be resumed only before the first frame is observed"
        case .tooManyVisits(let count, let capacity):
            "\(count) visits cannot be resumed: the tracker holds \(capacity); raise visitCapacity"
        case .inconsistentVisit(let number, let reason):
            "visit \(number) cannot be resumed: \(reason)"
        }
    }
}
