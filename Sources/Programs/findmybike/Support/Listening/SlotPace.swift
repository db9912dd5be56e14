import Beacons
import Foundation

/// When a rotating beacon that runs on this machine changes its identity.
struct SlotPace: Sendable {
    /// The slot at the start, and the time of the start.
    private let first: RotatingSlot
    private let begin: Date
    /// The length of a slot for a trial; nil for the profile's own, by this machine's clock.
    private let trial: Duration?

    /// Nil if the clock shows a time that no beacon can have.
    init?(at begin: Date = Date(), trial: Duration? = nil) {
        guard let first = RotatingSlot(unixSeconds: Self.seconds(begin)) else { return nil }
        self.first = first
        self.begin = begin
        self.trial = trial
    }

    /// The slot at a time. It never goes back, even if the clock does.
    func slot(at time: Date, after last: RotatingSlot? = nil) -> RotatingSlot {
        let slot =
            if let trial {
                first.advanced(by: Self.quotient(time.timeIntervalSince(begin), trial / .seconds(1)))
            } else {
                RotatingSlot(unixSeconds: Self.seconds(time)) ?? first
            }
        return max(slot, last ?? first)
    }

    /// The wait from a time to the next change.
    func untilChange(at time: Date) -> Duration {
        let length = trial.map { $0 / .seconds(1) } ?? Double(RotatingSlot.seconds)
        let since = time.timeIntervalSince(trial == nil ? Date(timeIntervalSince1970: 0) : begin)
        let rest = length - since.truncatingRemainder(dividingBy: length)
        // A little later than the change, so that a timer that is early does not find the old slot again.
        return .seconds(min(max(rest, 0), length)) + .milliseconds(10)
    }

    private static func seconds(_ time: Date) -> Int64 {
        Int64(exactly: time.timeIntervalSince1970.rounded(.down)) ?? .min
    }

    private static func quotient(_ number: Double, _ divisor: Double) -> Int {
        Int(exactly: (number / divisor).rounded(.down)) ?? 0
    }
}
