import NIOCore

/// The one timer of a connection: it may fire before the deadline, which its owner then checks again, but never long
/// after it.
struct DeadlineTimer {
    private var scheduled: (task: Scheduled<Void>, time: Int64)?

    /// The time of deadlines, in nanoseconds.
    static var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    /// Schedules an action for a time, unless it already fires earlier.
    mutating func arm(_ time: Int64, on eventLoop: any EventLoop, _ action: @escaping () -> Void) {
        if let scheduled, scheduled.time <= time { return }
        scheduled?.task.cancel()
        let deadline = NIODeadline.uptimeNanoseconds(UInt64(clamping: time))
        scheduled = (eventLoop.assumeIsolated().scheduleTask(deadline: deadline, action), time)
    }

    /// Notes that the timer has fired.
    mutating func fired() { scheduled = nil }

    mutating func cancel() {
        scheduled?.task.cancel()
        scheduled = nil
    }
}
