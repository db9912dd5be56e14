/// A configuration or a restored state that presence cannot work with.
public enum PresenceError: Error, Hashable, Sendable {
    /// A setting outside its bounds: its name, and what is allowed.
    case invalid(setting: String, allowed: String)
    /// Visits can be resumed only before the first frame.
    case alreadyStarted
    /// More visits to resume than the tracker may hold.
    case tooManyVisits(count: Int, capacity: Int)
    /// A visit to resume that contradicts itself or another one.
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
