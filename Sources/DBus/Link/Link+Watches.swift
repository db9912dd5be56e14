import CDBus
import Dispatch
import Glibc

/// A Dispatch source for one enabled watch, on a descriptor of its own.
///
/// “It is invalid to close a file descriptor before the cancellation handler has run” (dispatch_source_create(3)), and
/// libdbus closes its socket when it likes: so this one is a duplicate.
final class WatchSource {
    private let source: any DispatchSourceProtocol
    private var isSuspended = false
    let isReading: Bool

    /// Nil without a free descriptor.
    init?(_ watch: OpaquePointer, queue: DispatchQueue, isReading: Bool, onReady: @escaping () -> Void) {
        let descriptor = fcntl(dbus_watch_get_unix_fd(watch), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        self.isReading = isReading
        source =
            isReading
            ? DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            : DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onReady)
        source.setCancelHandler { _ = Glibc.close(descriptor) }
        source.resume()
    }

    func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        source.suspend()
    }

    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        source.resume()
    }

    func cancel() {
        resume()  // a suspended source may not be released
        source.cancel()
    }
}

extension Link {
    /// Passes that one event of the descriptor may take before others get their turn on the queue.
    private static let passLimit = 64

    func update(_ watch: OpaquePointer) -> Bool {
        sources.removeValue(forKey: watch)?.cancel()
        guard dbus_watch_get_enabled(watch) != 0 else { return true }
        let isReading = dbus_watch_get_flags(watch) & UInt32(DBUS_WATCH_READABLE.rawValue) != 0
        let source = WatchSource(watch, queue: queue, isReading: isReading) { [weak self] in
            self?.handle(watch, isReading: isReading)
        }
        guard let source else { return false }
        if isReading, pause != nil { source.suspend() }
        sources[watch] = source
        return true
    }

    func remove(_ watch: OpaquePointer) {
        sources.removeValue(forKey: watch)?.cancel()
    }

    private func handle(_ watch: OpaquePointer, isReading: Bool) {
        guard isReading else {
            dbus_watch_handle(watch, UInt32(DBUS_WATCH_WRITABLE.rawValue))
            drain()
            return
        }
        if read(watch) > 0 { pauseReading() }
    }

    /// Reads as much as there is, and delivers it; libdbus reads some 2 kB at a time. Answers how often there was something.
    private func read(_ watch: OpaquePointer) -> Int {
        var passes = 0
        // Handling may remove the watch itself.
        while sources[watch] != nil, passes < Self.passLimit {
            dbus_watch_handle(watch, UInt32(DBUS_WATCH_READABLE.rawValue))
            guard drain() else { break }
            passes += 1
        }
        return passes
    }

    /// Looks again after a while, and only when nothing has come by then waits for the descriptor. Not while somebody waits
    /// for an answer.
    private func pauseReading() {
        guard readingPause > .zero, pause == nil, waiters.isEmpty, connection != nil else { return }
        let number = token()
        pause = number
        for source in sources.values where source.isReading { source.suspend() }
        later(at: .now() + readingPause.dispatchInterval) { $0.end(number) }
    }

    private func end(_ number: UInt64) {
        // A call that waits for its answer may have ended this pause already, and another have begun.
        guard pause == number else { return }
        pause = nil
        let passes = sources.filter(\.value.isReading).keys.reduce(0) { $0 + read($1) }
        if passes > 0 { pauseReading() }
        if pause == nil { startReading() }
    }

    private func startReading() {
        for source in sources.values where source.isReading { source.resume() }
    }

    func resumeReading() {
        guard pause != nil else { return }
        pause = nil
        startReading()
    }
}

// “These functions are called by libdbus whenever it adds, removes or toggles a watch” – always from within a call that
// the queue made.
let addWatch: DBusAddWatchFunction = { watch, context in
    guard let watch, let link = link(context) else { return 0 }
    return link.update(watch) ? 1 : 0
}

let removeWatch: DBusRemoveWatchFunction = { watch, context in
    if let watch { link(context)?.remove(watch) }
}

let toggleWatch: DBusWatchToggledFunction = { watch, context in
    if let watch { _ = link(context)?.update(watch) }
}
