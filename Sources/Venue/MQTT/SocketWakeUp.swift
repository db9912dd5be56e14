import Dispatch
import OperatingSystem

/// Calls back when data has arrived on a socket, and once a second for timed work: keep-alives, and data that could not
/// be sent immediately.
final class SocketWakeUp {
    private let reading: DescriptorSource
    private let timer: any DispatchSourceTimer

    /// Returns nil, with `errno`, if no descriptor is free. It watches a duplicate, since libmosquitto may close its
    /// socket at any time.
    init?(_ socket: Int32, queue: DispatchQueue, _ onWake: @escaping @Sendable () -> Void) {
        guard let reading = DescriptorSource(duplicating: socket, .reading, queue: queue, handler: onWake) else {
            return nil
        }
        self.reading = reading
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler(handler: onWake)
        timer.resume()
    }

    deinit { timer.cancel() }
}
