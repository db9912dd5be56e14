import CityPlan
import Foundation
import Synchronization
import Terminal

/// Shows how far a plan is, on a line of standard error that is redrawn, or removed at the end. On terminals only.
final class PlanProgress: Sendable {
    /// When the line was drawn last.
    private let last = Mutex(ContinuousClock.now)

    /// Draws the line, unless it was drawn just now.
    func show(_ progress: CityPlanner.Progress) {
        guard Console.error.isTerminal else { return }
        // At most ten times a second.
        let isDue = last.withLock { last in
            let now = ContinuousClock.now
            guard progress.done == 0 || last.duration(to: now) > .milliseconds(100) else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        let share = progress.of > 1 ? ", \(100 * progress.done / progress.of) %" : ""
        Console.error.data(Data("\r\u{1B}[K\(progress.activity)\(share) …".utf8))
    }

    /// Removes the line.
    func end() {
        if Console.error.isTerminal { Console.error.data(Data("\r\u{1B}[K".utf8)) }
    }
}
